// Exports a figure as self-contained SVG: every box, line and text at its position on the page, in the colours of the light theme.

const figures = (() => {
  const space = "http://www.w3.org/2000/svg";
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();

  // Converts colours to a form that every program reads; the page may use CSS functions that only browsers support.
  function plain(colour) {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, alpha === 0 ? null : { paint: `rgb(${red},${green},${blue})`, opacity: alpha / 255 });
    }
    return known.get(colour);
  }

  function node(name, attributes = {}) {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  const round = (number) => Math.round(number * 10) / 10;

  function rect(root, place, colour) {
    const found = plain(colour);
    if (found) root.append(node("rect", { ...place, fill: found.paint, "fill-opacity": round(found.opacity) }));
  }

  // A text node, one element per line.
  function letters(text, root, origin) {
    const style = getComputedStyle(text.parentElement);
    const size = parseFloat(style.fontSize);
    const range = document.createRange();
    const lines = [];
    for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      for (const box of [...range.getClientRects()].slice(0, 1)) {
        if (lines.length && Math.abs(lines.at(-1).box.top - box.top) < 2) lines.at(-1).words.push(word);
        else lines.push({ box, words: [word] });
      }
    }
    for (const { box, words } of lines) {
      const baseline = box.top + box.height / 2 + 0.35 * size - origin.top;
      const made = node("text", { x: round(box.left - origin.left), y: round(baseline), "font-size": size, "font-weight": style.fontWeight,
        "font-family": "Helvetica, Arial, sans-serif", fill: plain(style.color)?.paint ?? "none" });
      made.textContent = words.join(" ");
      root.append(made);
    }
  }

  // A drawing inside the figure, with the computed styles of the page.
  function drawing(svg, root, origin) {
    const box = svg.getBoundingClientRect();
    const group = node("svg", { x: round(box.left - origin.left), y: round(box.top - origin.top), width: round(box.width), height: round(box.height), overflow: "visible" });
    if (svg.hasAttribute("viewBox")) group.setAttribute("viewBox", svg.getAttribute("viewBox"));
    if (svg.hasAttribute("preserveAspectRatio")) group.setAttribute("preserveAspectRatio", svg.getAttribute("preserveAspectRatio"));
    const copy = (from, to) => {
      for (const child of from.children) {
        if (child.tagName === "title") continue;
        const made = node(child.tagName);
        for (const { name, value } of child.attributes) if (!["class", "role", "aria-label", "aria-hidden", "tabindex", "href"].includes(name)) made.setAttribute(name, value);
        const style = getComputedStyle(child);
        for (const name of ["fill", "stroke"]) made.setAttribute(name, style[name] === "none" ? "none" : plain(style[name])?.paint ?? "none");
        made.setAttribute("opacity", style.opacity);
        if (style.stroke !== "none") made.setAttribute("stroke-width", parseFloat(style.strokeWidth));
        if (style.strokeLinecap !== "butt") made.setAttribute("stroke-linecap", style.strokeLinecap);
        if (style.vectorEffect !== "none") made.setAttribute("vector-effect", style.vectorEffect);
        if (child.tagName === "text") {
          made.setAttribute("font-size", parseFloat(style.fontSize));
          made.setAttribute("font-family", "Helvetica, Arial, sans-serif");
          made.textContent = child.textContent;
        } else copy(child, made);
        to.append(made);
      }
    };
    copy(svg, group);
    root.append(group);
  }

  function draw(element, root, origin) {
    if (element.matches(".unseen, .save, .hint, [hidden]")) return;
    if (element.tagName === "svg") return drawing(element, root, origin);
    const box = element.getBoundingClientRect();
    if (box.width === 0) return;
    const style = getComputedStyle(element);
    const place = { x: round(box.left - origin.left), y: round(box.top - origin.top), width: round(box.width), height: round(box.height) };
    if (!element.matches(".scroll")) rect(root, place, style.backgroundColor);
    const border = parseFloat(style.borderBottomWidth);
    if (border > 0 && style.borderBottomStyle === "solid") rect(root, { ...place, y: round(box.bottom - origin.top - border), height: border }, style.borderBottomColor);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) letters(child, root, origin);
      else if (child.nodeType === Node.ELEMENT_NODE) draw(child, root, origin);
    }
  }

  // The figure as SVG text, with its size.
  function svg(figure) {
    const theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    known.clear();
    for (const box of figure.querySelectorAll(".scroll")) box.scrollLeft = 0;
    const box = figure.getBoundingClientRect();
    const margin = 12;
    const widest = Math.max(box.width, ...[...figure.querySelectorAll("table")].map((table) => table.getBoundingClientRect().right - box.left));
    const [width, height] = [Math.ceil(widest + 2 * margin), Math.ceil(box.height + 2 * margin)];
    const root = node("svg", { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}` });
    root.append(node("rect", { width, height, fill: "#ffffff" }));
    draw(figure, root, { left: box.left - margin, top: box.top - margin });
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    return { text: new XMLSerializer().serializeToString(root), width, height };
  }

  // The figure as a bitmap at twice its screen size.
  async function png(figure) {
    const { text, width, height } = svg(figure);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const sheet = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    const context = sheet.getContext("2d");
    context.scale(2, 2);
    context.drawImage(image, 0, 0, width, height);
    return new Promise((resolve) => sheet.toBlob(resolve, "image/png"));
  }

  return { svg, png };
})();
