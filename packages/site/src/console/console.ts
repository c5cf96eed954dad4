import { createBodyView, type BodyView } from "./body-view.js";
import type { ConsoleOperation, ConsoleParameter } from "./console-data.js";
import { element } from "./elements.js";
import { positionOf, readInput, writeInput } from "./form-values.js";
import { FormView } from "./form-view.js";
import { startMockSession, tabStorage, type MockScript, type MockSession } from "./mock-session.js";
import { buildRequest, IncompleteRequestError, type ConsoleInput, type ConsoleRequest } from "./request.js";
import { checkResponse } from "./response-check.js";
import { responseElements } from "./response-view.js";
import { createSamplesView, type SamplesView } from "./samples-view.js";
import { sendRequest, type Destination } from "./send.js";
import { createTargetView, type TargetView } from "./target-view.js";

/** Builds the console of the page in its place, and loads the mock. */
export function startConsole(): void {
  const place = document.querySelector<HTMLElement>("[data-console]");
  const data = document.querySelector("[data-operation]")?.textContent;
  if (place !== null && typeof data === "string")
    new OperationConsole(JSON.parse(data) as ConsoleOperation).appendTo(place);
}

class OperationConsole {
  readonly #operation: ConsoleOperation;
  readonly #script: Promise<MockScript>;
  readonly #target: TargetView;
  readonly #parameters: ParametersView;
  readonly #body: BodyView | undefined;
  readonly #samples: SamplesView;
  readonly #problem = element("p", { class: "problem", role: "alert" });
  readonly #outcome = element("p", { class: "visually-hidden", role: "status" });
  readonly #send: HTMLButtonElement;
  readonly #response = element("section", { class: "live", "aria-label": "Response" });
  #session: MockSession | undefined;

  constructor(operation: ConsoleOperation) {
    const changed = (): void => this.#update();
    this.#operation = operation;
    this.#script = loadMock(operation);
    this.#target = createTargetView(operation, {
      changed,
      reset: () => void this.#openSession().then((session) => session.reset()),
    });
    this.#parameters = createParameters(operation.parameters);
    this.#body = createBodyView(operation.bodies, changed);
    this.#samples = createSamplesView(operation);
    this.#send = element("button", { class: "send", type: "submit" }, `Send ${operation.method}`);
  }

  appendTo(container: HTMLElement): void {
    const form = element(
      "form",
      { novalidate: "", autocomplete: "off" },
      this.#target.element,
      ...this.#parameters.sections,
      this.#body && section("Body", this.#body.element),
      section("Request", this.#samples.element),
      element("div", { class: "send-row" }, this.#send, this.#problem, this.#outcome),
    );
    for (const event of ["input", "change"]) form.addEventListener(event, () => this.#update());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    container.append(form, this.#response);
    this.#update();
  }

  #update(): void {
    const request = this.#entered();
    if (request !== undefined) this.#samples.show(request.example);
  }

  /** The request as entered; undefined where it has no URL. */
  #entered(): ConsoleRequest | undefined {
    const { base } = this.#operation;
    try {
      this.#problem.textContent = "";
      return buildRequest(this.#operation, {
        base: this.#target.isMock() ? base : this.#target.address() || base,
        parameters: this.#parameters.values(),
        body: this.#body?.entered(),
      });
    } catch (error) {
      this.#problem.textContent = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  async #submit(): Promise<void> {
    const request = this.#entered();
    if (request === undefined) return;
    this.#send.disabled = true;
    this.#outcome.textContent = "";
    try {
      const received = await sendRequest(this.#operation, request, await this.#destination());
      const check = checkResponse(this.#operation, received, await this.#script.catch(() => undefined));
      this.#response.replaceChildren(element("h3", {}, "Response"), ...responseElements(received, check));
      this.#outcome.textContent = `Response ${received.status}${check.issues.length > 0 ? ", not as described" : ""}`;
      if (this.#target.isMock()) this.#target.report(this.#session?.isStored() ?? true);
    } catch (error) {
      this.#response.replaceChildren();
      this.#problem.textContent = problemText(error, this.#target);
    } finally {
      this.#send.disabled = false;
    }
  }

  async #destination(): Promise<Destination> {
    const target = this.#target;
    if (!target.isMock()) {
      if (!/^https?:\/\/./.test(target.address())) throw new IncompleteRequestError("Enter the address of the server.");
      return { fetch: (request) => fetch(request), credentials: target.credentials(), acceptsCookies: false };
    }
    const session = await this.#openSession();
    // The mock accepts any credential.
    const credentials = this.#operation.credentials.map(({ variable }) =>
      variable === "CREDENTIALS" ? "user:mock" : "mock",
    );
    return { fetch: (request) => session.fetch(request), credentials, acceptsCookies: true };
  }

  async #openSession(): Promise<MockSession> {
    const storage = tabStorage(`plumbline-mock-${this.#operation.mock ?? ""}`);
    return (this.#session ??= startMockSession(await this.#script, storage));
  }
}

function problemText(error: unknown, target: TargetView): string {
  if (error instanceof IncompleteRequestError) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") return "No response within 30 seconds.";
  if (target.isMock()) return `The mock has no response: ${error instanceof Error ? error.message : String(error)}`;
  return "No response. The server cannot be reached, or does not allow requests from this page (CORS). Other servers need HTTPS.";
}

/** Loads the mock, which also checks the responses of servers. */
async function loadMock({ mock }: ConsoleOperation): Promise<MockScript> {
  if (mock === undefined) throw new Error("This site has no mock.");
  const script = element("script", {});
  script.src = `${document.body.dataset["root"] ?? ""}assets/mock.js`;
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("assets/mock.js cannot be loaded.")));
    document.head.append(script);
  });
  return (globalThis as typeof globalThis & { readonly plumblineMock: MockScript }).plumblineMock;
}

interface ParametersView {
  readonly sections: readonly HTMLElement[];
  readonly values: () => ConsoleInput["parameters"];
}

function createParameters(parameters: readonly ConsoleParameter[]): ParametersView {
  const titles = { path: "Path", query: "Query", header: "Headers", cookie: "Cookies" } as const;
  const groups = Object.entries(titles).map(([location, title]) => {
    const members = parameters.filter((each) => each.in === location);
    const initial = members.flatMap(({ field, example }, index) => {
      const text = example === undefined ? undefined : writeInput(field.input, example);
      return text === undefined ? [] : [[positionOf("", index), text] as const];
    });
    const view = new FormView(
      `console-${location}`,
      members.map(({ field }) => field),
      new Map(initial),
    );
    return { title, members, view };
  });
  return {
    sections: groups.filter(({ members }) => members.length > 0).map(({ title, view }) => section(title, view.element)),
    values: () => {
      const values = new Map(
        groups.flatMap(({ members, view }) => {
          const texts = view.texts();
          return members.map(
            (each, index) => [each, readInput(each.field.input, texts.get(positionOf("", index)) ?? "")] as const,
          );
        }),
      );
      return parameters.map((each) => values.get(each));
    },
  };
}

function section(title: string, content: HTMLElement): HTMLElement {
  return element("section", {}, element("h3", {}, title), content);
}
