// One example as a list item. All content is inserted as text, never as markup.

const card = (() => {
  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // The sentence with its changed spans and search matches marked; marks may overlap.
  function marked(sentence, changes, words, gone = []) {
    const spans = [...gone, ...changes.map(([, , start, end, before]) => ({ start, end, changed: true, before }))];
    const lower = sentence.toLowerCase();
    // A few letters change their length in lower case, which would shift positions.
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
      parts.push(over.length ? mark(piece, over.find((span) => span.changed || span.gone) ?? over[0]) : piece);
    });
    return parts;
  }

  function mark(text, { changed, gone, before }) {
    const made = element("mark", { textContent: text });
    if (gone) made.className = "gone";
    if (changed && before === null) made.className = "changed";
    else if (changed) {
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
    // Scores that are not probabilities cannot be shown as shares.
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

  // How the words alone mislead: the label they suggest, and the words that contribute most to it.
  function misled({ score, toward, probabilities, features }) {
    const longest = Math.max(...features.map(([, push]) => push));
    const head = element("p", {}, element("b", { textContent: `Words mislead: ${score.toFixed(2)} toward ${toward}` }), scores(probabilities));
    const list = element("ul", { ariaLabel: `Words in favour of ${toward}` });
    for (const [feature, push] of features) {
      const bar = element("span", { className: "push" });
      bar.style.width = `${(9 * push) / longest}rem`;
      list.append(element("li", {}, element("span", { className: "feature", textContent: feature }), bar, `+${push.toFixed(2)}`));
    }
    return element("div", { className: "misled" }, head, list);
  }

  // The spans of words in `text` that are not in `other`, by the longest common subsequence of words.
  function differences(text, other) {
    const pieces = /[\p{L}\p{N}'’]+|[^\s]/gu;
    const words = [...text.matchAll(pieces)];
    const others = other.match(pieces) ?? [];
    const longest = Array.from({ length: words.length + 1 }, () => new Uint16Array(others.length + 1));
    for (let i = words.length - 1; i >= 0; i--) {
      for (let j = others.length - 1; j >= 0; j--) {
        longest[i][j] = words[i][0] === others[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    const spans = [];
    for (let i = 0, j = 0; i < words.length; ) {
      if (j < others.length && words[i][0] === others[j]) { i++; j++; }
      else if (j < others.length && longest[i][j + 1] >= longest[i + 1][j]) j++;
      else { spans.push([words[i].index, words[i].index + words[i][0].length]); i++; }
    }
    return spans;
  }

  const signs = { right: "✓ right", wrong: "✗ wrong" };
  const sign = (right) => element("span", { className: `mark ${right}`, textContent: signs[right] ?? "not scored" });

  // Each model's prediction, for the original (if there is one) and for this example.
  function predictions(models, looked) {
    const list = element("ul", { className: "predictions" });
    list.setAttribute("aria-label", "Predictions");
    for (const [at, { model, prediction, original, changed, right, scores: numbers }] of models.entries()) {
      const item = element("li", { className: at === looked && models.length > 1 ? "looked" : "" });
      if (models.length > 1) item.append(element("span", { className: "model", textContent: model }));
      if (original !== null) item.append(element("span", { className: "before" }, element("span", { className: "unseen", textContent: "original " }), original), element("span", { className: "arrow", textContent: "→" }));
      item.append(element("b", { textContent: prediction }), sign(right));
      if (changed === "changed") item.append(element("span", { className: "flipped", textContent: "changed" }));
      if (numbers) item.append(scores(numbers));
      list.append(item);
    }
    return list;
  }

  // A sentence; if it was changed, the original is shown above it, with the changed words marked in both.
  function sentences(side, example, original, words) {
    const text = example[side];
    const changes = example.changes.filter((change) => change[1] === side);
    if (!original || original[side] === text) return [element("dt", { textContent: side }), element("dd", {}, ...marked(text, changes, words))];
    const spans = (ends) => ends.map(([start, end]) => ({ start, end, gone: true }));
    const own = changes.length ? marked(text, changes, words) : marked(text, differences(text, original[side]).map(([start, end]) => [0, side, start, end, null]), words);
    return [
      element("dt", { textContent: `original ${side}` }), element("dd", { className: "original" }, ...marked(original[side], [], words, spans(differences(original[side], text)))),
      element("dt", { textContent: `perturbed ${side}` }), element("dd", {}, ...own),
    ];
  }

  // `filter(name, value)` is called when a tag is clicked; `looked` is the selected model.
  function render(example, original, { words, place, total, filter, looked }) {
    const item = element("li", { tabIndex: -1 });
    item.setAttribute("aria-posinset", place);
    item.setAttribute("aria-setsize", total);
    const facts = element("p", { className: "facts" },
      element("span", {}, "gold ", element("b", { textContent: example.gold })),
      element("span", { className: "id" }, example.id && example.set ? `${example.set} · ` : example.set, ...marked(example.id, [], words)));
    const pair = element("dl", { className: "pair" }, ...["premise", "hypothesis"].flatMap((side) => sentences(side, example, original, words)));
    item.append(facts, pair, predictions(example.models, looked));
    if (example.misled) item.append(misled(example.misled));
    const extras = element("div", { className: "tags" });
    for (const [name, value] of example.tags) {
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
