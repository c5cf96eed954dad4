import type { ConsoleOperation } from "./console-data.js";
import { button, choices, element } from "./elements.js";
import { pace } from "./mock-session.js";

/** Where the user sends requests. */
export interface TargetView {
  readonly element: HTMLElement;
  readonly isMock: () => boolean;
  /** The address of the server, without a slash at its end. */
  readonly address: () => string;
  /** The credentials for the server, in the order of the operation. Nothing else has them. */
  readonly credentials: () => readonly string[];
  /** Says whether the state of the mock lasts. */
  readonly report: (isStored: boolean) => void;
}

export interface TargetEvents {
  readonly changed: () => void;
  readonly reset: () => void;
}

const labels: Readonly<Record<string, string>> = {
  TOKEN: "Token",
  CREDENTIALS: "User name and password, as name:password",
  API_KEY: "API key",
};

const stored = `Its state lasts as long as this tab. Transient states end ${pace} times as fast.`;
const unstored = "This browser stores nothing for the page, so the state lasts as long as the page.";

/** Creates the choice of a target: the mock in the page, or a server. */
export function createTargetView(operation: ConsoleOperation, { changed, reset }: TargetEvents): TargetView {
  const { servers, credentials, mock } = operation;
  let isMock = mock !== undefined;
  const plain = { autocomplete: "off", spellcheck: "false" };
  const address = element("input", { type: "url", id: "console-address", list: "console-servers", ...plain });
  address.value = servers[0] ?? "";
  const inputs = credentials.map(({ variable, name }, index) => ({
    label: labels[variable] ?? name,
    input: element("input", { type: "password", id: `console-credential-${index}`, ...plain }),
  }));
  const forget = (): void => inputs.forEach(({ input }) => void (input.value = ""));
  // Browsers keep pages, with what was typed, for the way back.
  addEventListener("pagehide", forget);

  const state = element("p", { class: "hint" }, stored);
  const resetButton = button("Reset", () => {
    reset();
    state.textContent = "The mock has its initial state again.";
  });
  const mockPart = element("div", { class: "mock-state" }, state, resetButton);
  const serverPart = element(
    "div",
    { class: "inputs" },
    inputElement("Address", address),
    ...inputs.map(({ label, input }) => inputElement(label, input)),
    element("datalist", { id: "console-servers" }, ...servers.map((value) => element("option", { value }))),
    element(
      "p",
      { class: "hint wide" },
      "The server has to allow requests from this page (CORS), over HTTPS or on this machine. What you type here is kept nowhere.",
    ),
  );
  const place = element("div", {});
  const show = (): void => place.replaceChildren(isMock ? mockPart : serverPart);
  const targets = choices(
    "Send to",
    [
      { value: "mock", text: "Mock in this page" },
      { value: "server", text: "Server" },
    ],
    (value) => {
      isMock = value === "mock";
      forget();
      show();
      changed();
    },
  );
  targets.choose("mock");
  show();
  return {
    element: element("div", { class: "target" }, mock === undefined ? undefined : targets.element, place),
    isMock: () => isMock,
    address: () => address.value.trim().replace(/\/+$/, ""),
    credentials: () => inputs.map(({ input }) => input.value.trim()),
    report: (isStored) => void (state.textContent = isStored ? stored : unstored),
  };
}

function inputElement(label: string, input: HTMLInputElement): HTMLElement {
  return element("div", { class: "input" }, element("label", { for: input.id }, label), input);
}
