// Saves or copies figures as SVG and PNG, and tables as CSV and LaTeX, without a network.

const save = (() => {
  function download(name, type, content) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages opened from disk may have no access to the clipboard.
      const field = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  const clean = (text) => text.replace(/\s+/g, " ").trim();
  const cellText = (cell) => {
    const small = cell.querySelector("small");
    if (!small) return clean(cell.textContent.replace(/ ?[↕↑↓]$/, ""));
    return clean(`${cell.textContent.slice(0, cell.textContent.lastIndexOf(small.textContent))} (${small.textContent})`);
  };
  const headName = (cell) => clean((cell.querySelector(".name") ?? cell).textContent);
  const isHead = (row) => [...row.cells].every((cell) => cell.tagName === "TH" || cell.textContent === "");
  const bodyRows = (table) => [...table.tBodies].flatMap((body) => [...body.rows]);

  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // A share becomes three columns: its value and the two ends of its interval.
  function csv(table) {
    const heads = table.tHead ? [...table.tHead.rows].at(-1).cells : [];
    const shares = new Set([...table.querySelectorAll("td[data-low]")].map((cell) => cell.cellIndex));
    const lines = [];
    if (heads.length) lines.push([...heads].flatMap((cell, at) => (shares.has(at) ? ["", " low", " high"].map((end) => headName(cell) + end) : [headName(cell)])));
    for (const row of bodyRows(table)) {
      if (row.matches(".heading")) continue;
      lines.push([...row.cells].flatMap((cell, at) => {
        const { value, low, high } = cell.dataset;
        if (shares.has(at)) return [value ?? "", low ?? "", high ?? ""];
        return [value ?? cellText(cell)];
      }));
    }
    return lines.map((line) => `${line.map(quoted).join(",")}\n`).join("");
  }

  const special = { "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "\\": "\\textbackslash{}", "−": "$-$", "–": "--", "<": "$<$", ">": "$>$" };
  const tex = (text) => text.replace(/[&%$#_{}~^\\−–<>]/g, (letter) => special[letter]);

  // A LaTeX table with booktabs.
  function latex(table) {
    const rows = bodyRows(table);
    const widest = Math.max(...rows.map((row) => row.cells.length));
    const model = rows.find((row) => row.cells.length === widest);
    const align = [...model.cells].map((cell) => (cell.tagName === "TH" || !cell.matches(".numbers, .rates, [class^=h], [class^=y], [class^=n], [class^=s], .few, .value") ? "l" : "r")).join("");
    const line = (cells) => `    ${cells.join(" & ")} \\\\`;
    const lines = ["% \\usepackage{booktabs}", "\\begin{table}", "  \\centering", `  \\caption{${tex(clean(table.caption?.textContent ?? ""))}}`, `  \\begin{tabular}{${align}}`, "    \\toprule"];
    if (table.tHead) lines.push(line([...[...table.tHead.rows].at(-1).cells].map((cell) => tex(headName(cell)))), "    \\midrule");
    for (const row of rows) {
      if (row.matches(".heading")) lines.push("    \\midrule", line([`\\multicolumn{${widest}}{l}{\\emph{${tex(cellText(row.cells[0]))}}}`]));
      else lines.push(line([...row.cells].map((cell) => tex(cellText(cell)))));
    }
    lines.push("    \\bottomrule", "  \\end{tabular}", "\\end{table}", "");
    return lines.join("\n");
  }

  const nameOf = (element) => (element.closest("section")?.id || "overview") + (element.closest(".panel") ? `-${element.closest(".panel").dataset.model}` : "");

  function menu(place, { figure, table }) {
    const name = nameOf(place).replace(/[^A-Za-z0-9.-]+/g, "-");
    const acts = [];
    if (figure) {
      acts.push(["SVG", () => download(`${name}.svg`, "image/svg+xml", figures.svg(figure).text)]);
      acts.push(["PNG", async () => download(`${name}.png`, "image/png", await figures.png(figure))]);
    }
    if (table) {
      acts.push(["CSV", () => download(`${name}.csv`, "text/csv", csv(table))]);
      acts.push(["LaTeX", () => download(`${name}.tex`, "application/x-tex", latex(table))]);
      acts.push(["Copy CSV", () => copy(csv(table))]);
      acts.push(["Copy LaTeX", () => copy(latex(table))]);
    }
    const box = Object.assign(document.createElement("details"), { className: "save" });
    const head = Object.assign(document.createElement("summary"), { textContent: "Save" });
    head.setAttribute("aria-label", `Save ${clean((table?.caption ?? figure?.querySelector("figcaption"))?.textContent ?? "the figure")}`);
    const list = document.createElement("div");
    for (const [text, act] of acts) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      button.addEventListener("click", async () => {
        await act();
        head.focus();
        box.open = false;
      });
      list.append(button);
    }
    box.append(head, list);
    place.append(box);
  }

  for (const figure of document.querySelectorAll("figure.picture")) menu(figure, { figure, table: figure.querySelector("table") });
  for (const table of document.querySelectorAll("table.data")) {
    const box = document.createElement("div");
    box.className = "below";
    table.closest(".scroll").after(box);
    menu(box, { table });
  }

  // Escape closes a menu and keeps the focus on its button; a click elsewhere also closes it.
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("details.save[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
    event.stopPropagation();
  }, true);
  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll("details.save[open]")) if (!open.contains(event.target)) open.open = false;
  });

  return { download, copy, csv, latex, quoted };
})();
