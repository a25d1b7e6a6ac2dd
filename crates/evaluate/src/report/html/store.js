// The rows: their small facts lie in typed arrays, their texts in chunks that are fetched as they are looked at.
// Pages from disk may not read files but may run scripts, so each file calls acidtest.index or acidtest.text.

const acidtest = (() => {
  const manifest = JSON.parse(document.getElementById("manifest").textContent);
  // Code 0 is none in every filter.
  const facets = manifest.facets.map((facet) => ({ ...facet, column: new Uint16Array(manifest.rows) }));
  const facet = new Map(facets.map((entry) => [entry.name, entry]));
  const none = "(none)";
  const value = (entry, code) => (code === 0 ? none : entry.values[code - 1]);
  const code = (entry, text) => {
    const at = entry.values.indexOf(text);
    return at >= 0 ? at + 1 : text === none ? 0 : -1;
  };

  function decoded({ bytes, base64 }) {
    // The built-in way is quicker, but not every browser has it yet.
    const raw = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return bytes === 1 ? raw : new Uint16Array(raw.buffer);
  }

  function script(path) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = path;
      element.onload = () => { element.remove(); resolve(); };
      element.onerror = () => { element.remove(); reject(new Error(`${path} is missing: keep the folder "data" beside this page`)); };
      document.head.append(element);
    });
  }

  function index(number, columns) {
    const start = number * manifest.rows_in_index;
    facet.get("set").column.set(decoded(columns.set), start);
    const [gold, answer, right] = ["gold", "answer", "right"].map((name) => facet.get(name).column);
    const outcomes = decoded(columns.outcome);
    for (let at = 0; at < outcomes.length; at++) {
      const outcome = outcomes[at];
      gold[start + at] = outcome & 7;
      answer[start + at] = (outcome >> 3) & 7;
      right[start + at] = outcome >> 6;
    }
    for (const [name, codes] of Object.entries(columns.tags)) facet.get(name)?.column.set(decoded(codes), start);
  }

  // All index files; asked for once.
  let opened = null;
  function open() {
    const files = Math.ceil(manifest.rows / manifest.rows_in_index);
    opened ??= Promise.all(Array.from({ length: files }, (_, number) => script(`data/index-${number}.js`)));
    // The texts that are shown first, most often.
    chunk(0).catch(() => {});
    return opened;
  }

  // Chunks of texts, the last used at the end. So many are about 130 MB of sentences.
  const kept = 256;
  const arrived = new Map();
  const chunks = new Map();
  const text = (number, columns) => arrived.set(number, columns);
  const chunkCount = Math.ceil(manifest.rows / manifest.rows_in_text);

  function chunk(number) {
    const found = chunks.get(number) ?? script(`data/text-${number}.js`).then(() => {
      const columns = arrived.get(number);
      arrived.delete(number);
      return columns;
    });
    chunks.delete(number);
    chunks.set(number, found);
    found.catch(() => chunks.delete(number));
    if (chunks.size > kept) chunks.delete(chunks.keys().next().value);
    return found;
  }

  // The lines of a column are split when the first of them is asked for.
  function lines(columns, name) {
    columns.split ??= {};
    columns.split[name] ??= columns[name] === "" && columns.rows > 1 ? [] : columns[name].split("\n");
    return columns.split[name];
  }

  async function row(number) {
    const columns = await chunk(Math.floor(number / manifest.rows_in_text));
    const at = number % manifest.rows_in_text;
    const tags = [];
    for (const tag of columns.tags) {
      tag.decoded ??= decoded(tag.codes);
      if (tag.decoded[at] > 0) tags.push([tag.name, tag.values[tag.decoded[at] - 1]]);
    }
    const scores = lines(columns, "scores")[at];
    return {
      number,
      id: lines(columns, "id")[at],
      premise: lines(columns, "premise")[at],
      hypothesis: lines(columns, "hypothesis")[at],
      scores: scores ? scores.split(" ").map(Number) : null,
      changes: columns.changes.filter((change) => change[0] === at),
      misled: columns.misled.find((misled) => misled.row === at) ?? null,
      tags,
      ...Object.fromEntries(["set", "gold", "answer", "right"].map((name) => [name, value(facet.get(name), facet.get(name).column[number])])),
    };
  }

  // The rows that have all chosen codes (a Map by name) and are found, and for each filter how many rows each of its values would give
  // if the other filters stay as they are.
  function select(choices, found) {
    const counts = new Map(facets.map((entry) => [entry.name, new Uint32Array(entry.values.length + 1)]));
    const columns = facets.map((entry) => entry.column);
    const tallies = facets.map((entry) => counts.get(entry.name));
    const active = facets.flatMap((entry, at) => (choices.has(entry.name) ? [at] : []));
    const codes = active.map((at) => choices.get(facets[at].name));
    const hits = new Uint32Array(manifest.rows);
    let count = 0;
    for (let number = 0; number < manifest.rows; number++) {
      if (found && found[number] === 0) continue;
      let misses = 0;
      let missed = -1;
      for (let at = 0; at < active.length && misses < 2; at++) {
        if (columns[active[at]][number] !== codes[at]) { misses++; missed = active[at]; }
      }
      if (misses === 0) {
        hits[count++] = number;
        for (let at = 0; at < columns.length; at++) tallies[at][columns[at][number]]++;
      } else if (misses === 1) {
        tallies[missed][columns[missed][number]]++;
      }
    }
    return { hits: hits.subarray(0, count), counts };
  }

  const words = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

  // Marks in `found` the rows that hold all words, chunk by chunk; `progress` hears how far it is and may end it by returning false.
  async function search(query, found, progress) {
    const wanted = words(query);
    const ahead = 6;
    for (let number = 0; number < chunkCount; number++) {
      for (let next = number; next < Math.min(number + ahead, chunkCount); next++) chunk(next).catch(() => {});
      const columns = await chunk(number);
      const [ids, premises, hypotheses] = ["id", "premise", "hypothesis"].map((name) => columns[name].toLowerCase().split("\n"));
      const start = number * manifest.rows_in_text;
      for (let at = 0; at < columns.rows; at++) {
        const all = wanted.every((word) => premises[at].includes(word) || hypotheses[at].includes(word) || ids[at].includes(word));
        if (all) found[start + at] = 1;
      }
      if (progress((number + 1) / chunkCount) === false) return;
    }
  }

  return { manifest, facets, facet, value, code, none, open, index, text, row, select, search, words };
})();
