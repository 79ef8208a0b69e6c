// Search in the names and comments of the library. The page's frame has the field and the list.
(function () {
  const root = document.body.dataset.root;
  const field = document.getElementById("search");
  const list = document.getElementById("results");
  const most = 30;
  let selected = -1;

  // Returns the rank of an entry for a word, or -1 if the word does not occur in the entry.
  function rank(entry, word) {
    const full = entry[0].toLowerCase();
    const own = full.slice(full.lastIndexOf(".", full.length - 2) + 1);
    if (own === word || full === word) return 0;
    if (own.startsWith(word) || full.startsWith(word)) return 1;
    if (full.includes(word)) return 2;
    if (entry[5].toLowerCase().includes(word)) return 3;
    if (entry[4].toLowerCase().includes(word) || entry[2].toLowerCase().includes(word)) return 4;
    return -1;
  }

  function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter((w) => w);
    const found = [];
    for (const entry of searchIndex) {
      const ranks = words.map((w) => rank(entry, w));
      if (!ranks.includes(-1)) found.push([ranks.reduce((a, b) => a + b, 0), entry]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
    return found.map((f) => f[1]);
  }

  function add(parent, tag, text) {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  }

  function show() {
    list.replaceChildren();
    selected = -1;
    const text = field.value.trim();
    list.hidden = !text;
    field.setAttribute("aria-expanded", String(!!text));
    if (!text) return;
    const found = find(text);
    for (const entry of found.slice(0, most)) {
      const item = list.appendChild(document.createElement("li"));
      item.setAttribute("role", "option");
      const link = item.appendChild(document.createElement("a"));
      link.href = root + entry[3];
      link.addEventListener("click", hide);
      add(link, "code", entry[0]);
      add(link, "span", " " + entry[1] + ", " + entry[2]);
      if (entry[4]) add(link, "small", entry[4]);
    }
    if (found.length === 0) add(list, "li", "No name and no comment has these words.").className = "none";
    else if (found.length > most) add(list, "li", found.length - most + " more").className = "none";
  }

  function hide() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
  }

  function select(step) {
    const items = list.querySelectorAll("[role=option]");
    if (items.length === 0) return;
    if (selected >= 0) items[selected].removeAttribute("aria-selected");
    selected = (selected + step + items.length) % items.length;
    items[selected].setAttribute("aria-selected", "true");
    items[selected].scrollIntoView({ block: "nearest" });
  }

  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") select(1);
    else if (event.key === "ArrowUp") select(-1);
    else if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
    else if (event.key === "Enter") {
      const links = list.querySelectorAll("a");
      if (links.length) links[Math.max(0, selected)].click();
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("search")) hide();
  });
})();
