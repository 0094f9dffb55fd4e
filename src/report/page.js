// A click on a heading sorts its table, largest number or first name first, then the other way.
for (const heading of document.querySelectorAll("thead th")) {
  const button = document.createElement("button");
  button.append(...heading.childNodes);
  heading.append(button);
  button.onclick = () => {
    const column = heading.cellIndex;
    const numbers = heading.classList.contains("number");
    const old = heading.getAttribute("aria-sort");
    const down = old ? old === "ascending" : numbers;
    for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = heading.closest("table").tBodies[0];
    const key = row => numbers ? parseFloat(row.cells[column].dataset.n ?? "-Infinity") : row.cells[column].textContent;
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  };
}
