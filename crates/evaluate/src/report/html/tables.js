// Tables: a hint for tables wider than the screen, and sorting by a click on a column header.

for (const box of document.querySelectorAll(".scroll")) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = "Scroll sideways for more columns →";
  hint.hidden = true;
  box.before(hint);
  const measure = () => {
    const wide = box.scrollWidth > box.clientWidth + 1;
    hint.hidden = !wide;
    box.classList.toggle("wide", wide);
    // Scrollable content can be scrolled by keyboard too.
    if (wide) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", box.querySelector("caption")?.textContent ?? "Table");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  };
  new ResizeObserver(measure).observe(box);
}

// A third click restores the original order.
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0];
  const given = [...body.rows];
  const sortable = given.filter((row) => !row.matches(".heading"));
  if (sortable.length < 2) continue;
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b
    : typeof a === "number" ? -1 : typeof b === "number" ? 1 : a.localeCompare(b, "en", { numeric: true }));
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const name = head.querySelector(".name");
    const button = document.createElement("button");
    button.type = "button";
    button.append(...name.childNodes);
    name.append(button);
    button.addEventListener("click", () => {
      const order = { ascending: "descending", descending: null }[head.ariaSort];
      const next = order === undefined ? "ascending" : order;
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = next;
      const sign = next === "descending" ? -1 : 1;
      const rows = next ? sortable.toSorted((a, b) => sign * compare(value(a, column), value(b, column))) : given;
      // Group headings are meaningless between sorted rows.
      for (const heading of given.filter((row) => row.matches(".heading"))) heading.hidden = Boolean(next);
      body.append(...rows);
    });
  });
}
