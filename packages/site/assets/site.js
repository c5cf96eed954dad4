// The script of every page: colours, tabs, copying and search. Pages are complete without it.
(() => {
  "use strict";
  const root = document.documentElement;

  /** Storage is not available in some settings of browsers. */
  const stored = {
    read(key) {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        localStorage.setItem(key, value);
      } catch {
        // The choice then lasts as long as the page.
      }
    },
  };

  // Before the first paint, so that a page changes neither its colours nor its layout.
  root.classList.add("js");
  root.dataset.sample = stored.read("plumbline-sample") ?? "curl";
  const theme = stored.read("plumbline-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  document.addEventListener("DOMContentLoaded", () => {
    addThemeButton();
    for (const group of document.querySelectorAll("[data-tabs]")) addTabs(group);
    for (const sample of document.querySelectorAll(".sample")) addCopyButton(sample);
    addSearch();
    // The console loads with its first use.
    document
      .querySelector("[data-console]")
      ?.addEventListener("toggle", () => void loadScript("console.js"), { once: true });
    openTarget();
    const menu = document.querySelector("#menu");
    // The operation, after the guide that leads to all operations.
    reveal([...menu.querySelectorAll("[aria-current]")].at(-1), menu);
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") location.hash = "content";
    });
  });
  window.addEventListener("hashchange", openTarget);

  /** A link may lead into something that is folded. */
  function openTarget() {
    // Anchors have only letters, digits, dots and hyphens: there is nothing to decode.
    const target = document.getElementById(location.hash.slice(1));
    if (target === null) return;
    const folded = [];
    for (let each = target; each !== null; each = each.parentElement)
      if (each instanceof HTMLDetailsElement && !each.open) folded.push(each);
    for (const each of folded) each.open = true;
    if (folded.length > 0) target.scrollIntoView();
  }

  /** Scrolls no further than needed. After `scrollIntoView`, Tab would go on from the element in Chromium, past the link to the contents. */
  function reveal(element, box) {
    if (element === undefined) return;
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
  }

  function addThemeButton() {
    const button = document.querySelector(".theme");
    button.addEventListener("click", () => {
      const isDark =
        root.dataset.theme === undefined
          ? matchMedia("(prefers-color-scheme: dark)").matches
          : root.dataset.theme === "dark";
      root.dataset.theme = isDark ? "light" : "dark";
      stored.write("plumbline-theme", root.dataset.theme);
    });
  }

  /** Shows one sample of a group. The choice holds for all pages. */
  function addTabs(group) {
    const samples = [...group.querySelectorAll(".sample")];
    if (samples.length < 2) {
      group.classList.add("ready");
      return;
    }
    const bar = document.createElement("div");
    bar.className = "tabs";
    bar.setAttribute("role", "tablist");
    bar.setAttribute("aria-label", "Language");
    const tabs = samples.map((sample, index) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.id = `tab-${index}`;
      tab.textContent = sample.dataset.label;
      tab.setAttribute("role", "tab");
      sample.id = `sample-${index}`;
      sample.setAttribute("role", "tabpanel");
      sample.setAttribute("aria-labelledby", tab.id);
      tab.setAttribute("aria-controls", sample.id);
      tab.addEventListener("click", () => choose(index));
      bar.append(tab);
      return tab;
    });
    function choose(chosen) {
      samples.forEach((sample, index) => {
        sample.hidden = index !== chosen;
        tabs[index].setAttribute("aria-selected", String(index === chosen));
        tabs[index].tabIndex = index === chosen ? 0 : -1;
      });
      stored.write("plumbline-sample", samples[chosen].dataset.label);
    }
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
      choose(next);
      tabs[next].focus();
    });
    group.prepend(bar);
    group.classList.add("ready");
    choose(
      Math.max(
        0,
        samples.findIndex(({ dataset }) => dataset.label === stored.read("plumbline-sample")),
      ),
    );
  }

  function addCopyButton(sample) {
    const code = sample.querySelector("code");
    if (code === null || navigator.clipboard === undefined) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(code.textContent).then(() => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
    });
    sample.append(button);
  }

  /** Loads a classic script beside this one. */
  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${document.body.dataset.root}assets/${name}`;
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  }

  function addSearch() {
    const form = document.querySelector(".search");
    const input = document.querySelector("#search");
    const results = document.querySelector("#search-results");
    let index;
    let selected = -1;

    /** The index loads with the first use, and has one document for each page. */
    function load() {
      index ??= Promise.all([loadScript("minisearch.js"), loadScript("search-index.js")]).then(() => {
        const search = new MiniSearch({
          fields: ["title", "detail", "words"],
          storeFields: ["kind", "title", "detail", "address"],
          tokenize: (text) =>
            text
              .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
              .toLowerCase()
              .split(/[^\p{L}\p{N}]+/u)
              .filter((word) => word !== ""),
          searchOptions: { boost: { title: 3, detail: 1.5 }, prefix: true, fuzzy: 0.2, combineWith: "AND" },
        });
        search.addAll(
          globalThis.plumblineSearch.map(([kind, title, detail, address, words], id) => ({
            id,
            kind,
            title,
            detail,
            address,
            words,
          })),
        );
        return search;
      });
      return index;
    }

    async function update() {
      const query = input.value.trim();
      if (query === "") return close();
      const found = (await load()).search(query).slice(0, 12);
      if (input.value.trim() !== query) return; // a later key has started another search
      results.replaceChildren(...(found.length === 0 ? [emptyNote(query)] : found.map(resultLink)));
      selected = found.length === 0 ? -1 : 0;
      mark();
      results.hidden = false;
      input.setAttribute("aria-expanded", "true");
    }

    function emptyNote(query) {
      const note = document.createElement("p");
      note.textContent = `No page has “${query}”.`;
      return note;
    }

    function resultLink({ kind, title, detail, address }, number) {
      const link = document.createElement("a");
      link.href = document.body.dataset.root + address;
      link.id = `result-${number}`;
      link.setAttribute("role", "option");
      link.tabIndex = -1;
      for (const [name, text] of [
        ["kind", kind],
        ["found", title],
        ["detail", detail],
      ]) {
        if (text === "") continue;
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        link.append(part);
      }
      return link;
    }

    function mark() {
      const links = [...results.querySelectorAll("a")];
      links.forEach((link, number) => link.setAttribute("aria-selected", String(number === selected)));
      const current = links[selected];
      if (current === undefined) input.removeAttribute("aria-activedescendant");
      else {
        input.setAttribute("aria-activedescendant", current.id);
        reveal(current, results);
      }
    }

    function close() {
      results.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    input.addEventListener("focus", () => void load());
    input.addEventListener("input", () => void update());
    input.addEventListener("keydown", (event) => {
      const links = results.querySelectorAll("a");
      if (event.key === "Escape") close();
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (links.length === 0) return;
        selected = (selected + (event.key === "ArrowDown" ? 1 : -1) + links.length) % links.length;
        mark();
      }
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!results.hidden) results.querySelector('[aria-selected="true"]')?.click();
    });
    document.addEventListener("click", (event) => {
      if (!form.contains(event.target)) close();
    });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest("input, textarea, select, [contenteditable]") !== null;
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
      }
    });
  }
})();
