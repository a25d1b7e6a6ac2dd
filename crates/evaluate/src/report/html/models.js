// Sections with the same content for several models: a switch selects the model, in all sections at once.

{
  const boxes = [...document.querySelectorAll(".panels.switched")];
  const all = "";
  const switches = [];

  function show(model) {
    for (const { box, inputs } of switches) {
      const panels = [...box.children].filter((child) => child.matches(".panel"));
      const known = model === all || panels.some((panel) => panel.dataset.model === model);
      const wanted = known ? model : panels[0].dataset.model;
      for (const panel of panels) panel.hidden = wanted !== all && panel.dataset.model !== wanted;
      box.classList.toggle("one", wanted !== all);
      for (const input of inputs) input.checked = input.value === wanted;
    }
  }

  boxes.forEach((box, number) => {
    const names = [...box.children].map((panel) => panel.dataset.model);
    const group = document.createElement("fieldset");
    group.className = "segments";
    const legend = document.createElement("legend");
    legend.textContent = "Model";
    group.append(legend);
    const inputs = [...names, all].map((name) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "radio", name: `model-${number}`, value: name });
      input.addEventListener("change", () => show(name));
      label.append(input, name === all ? "all" : name);
      group.append(label);
      return input;
    });
    box.prepend(group);
    switches.push({ box, inputs });
  });
  if (boxes.length) show(boxes[0].querySelector(".panel").dataset.model);
}
