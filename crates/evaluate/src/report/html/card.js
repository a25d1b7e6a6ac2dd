// One example as a list item. All text goes in as text, never as markup.

const card = (() => {
  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // The sentence with its changed spans and the searched words marked; marks may overlap.
  function marked(sentence, changes, words) {
    const spans = changes.map(([, , start, end, before]) => ({ start, end, changed: true, before }));
    const lower = sentence.toLowerCase();
    // A few letters change their length in lower case; then places would be wrong.
    for (const word of lower.length === sentence.length ? words : []) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) spans.push({ start: at, end: at + word.length });
    }
    const cuts = [...new Set([0, sentence.length, ...spans.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
    const parts = [];
    cuts.forEach((start, at) => {
      for (const gap of spans.filter((span) => span.start === start && span.end === start)) parts.push(mark("", gap));
      const end = cuts[at + 1];
      if (end === undefined || end === start) return;
      const over = spans.filter((span) => span.start <= start && span.end >= end);
      const piece = sentence.slice(start, end);
      parts.push(over.length ? mark(piece, over.find((span) => span.changed) ?? over[0]) : piece);
    });
    return parts;
  }

  function mark(text, { changed, before }) {
    const made = element("mark", { textContent: text });
    if (changed) {
      made.className = text ? "changed" : "changed gap";
      made.title = before ? `before: ${before}` : "added";
      made.append(element("span", { className: "unseen", textContent: before ? ` (before: ${before})` : " (added)" }));
    }
    return made;
  }

  function scores(numbers) {
    const names = numbers.length === 2 ? ["e", "c"] : ["e", "n", "c"];
    const titles = numbers.length === 2 ? ["E", "not E"] : ["E", "N", "C"];
    const label = element("span", { className: "scores" });
    const sum = numbers.reduce((total, score) => total + score);
    // Scores that are no probabilities have no shares to draw.
    if (numbers.every((score) => score >= 0) && Math.abs(sum - 1) < 0.02) {
      const space = "http://www.w3.org/2000/svg";
      const svg = document.createElementNS(space, "svg");
      svg.setAttribute("aria-hidden", "true");
      let start = 0;
      for (const [at, score] of numbers.entries()) {
        const part = document.createElementNS(space, "rect");
        for (const [key, value] of Object.entries({ class: names[at], x: `${start * 100}%`, width: `${score * 100}%`, height: "100%" })) part.setAttribute(key, value);
        svg.append(part);
        start += score;
      }
      label.append(svg);
    }
    label.append(numbers.map((score, at) => `${titles[at]} ${score.toFixed(2)}`).join("  "));
    return label;
  }

  // How the words alone mislead: what they make probable, and the words that speak most for the wrong label.
  function misled({ score, toward, probabilities, features }) {
    const longest = Math.max(...features.map(([, push]) => push));
    const head = element("p", {}, element("b", { textContent: `Words mislead: ${score.toFixed(2)} toward ${toward}` }), scores(probabilities));
    const list = element("ul", { ariaLabel: `What speaks for ${toward}` });
    for (const [feature, push] of features) {
      const bar = element("span", { className: "push" });
      bar.style.width = `${(9 * push) / longest}rem`;
      list.append(element("li", {}, element("span", { className: "feature", textContent: feature }), bar, `+${push.toFixed(2)}`));
    }
    return element("div", { className: "misled" }, head, list);
  }

  function verdict(row) {
    const names = { right: "✓ right", wrong: "✗ wrong" };
    return element("span", { className: `mark ${row.right}`, textContent: names[row.right] ?? "not judged" });
  }

  // `filter(name, value)` is called when a tag is clicked.
  function render(row, { words, place, total, filter }) {
    const side = (name) => row.changes.filter((change) => change[1] === name);
    const item = element("li", { tabIndex: -1 });
    item.setAttribute("aria-posinset", place);
    item.setAttribute("aria-setsize", total);
    const facts = element("p", { className: "facts" }, verdict(row),
      element("span", {}, "gold ", element("b", { textContent: row.gold })),
      element("span", {}, "answer ", element("b", { textContent: row.answer })),
      element("span", { className: "id" }, row.id && row.set ? `${row.set} · ` : row.set, ...marked(row.id, [], words)));
    const pair = element("dl", { className: "pair" },
      element("dt", { textContent: "premise" }), element("dd", {}, ...marked(row.premise, side("premise"), words)),
      element("dt", { textContent: "hypothesis" }), element("dd", {}, ...marked(row.hypothesis, side("hypothesis"), words)));
    item.append(facts, pair);
    if (row.misled) item.append(misled(row.misled));
    const extras = element("div", { className: "tags" });
    if (row.scores) extras.append(scores(row.scores));
    for (const [name, value] of row.tags) {
      const text = `${name}: ${value}`;
      if (!acidtest.facet.has(name)) { extras.append(element("span", { className: "tag", textContent: text })); continue; }
      const button = element("button", { type: "button", textContent: text, title: `Show only ${text}` });
      button.addEventListener("click", () => filter(name, value));
      extras.append(button);
    }
    if (extras.childNodes.length) item.append(extras);
    return item;
  }

  return { render, element };
})();
