import { createBodyView } from "./body-view.js";
import type { ConsoleOperation, ConsoleParameter, FormField } from "./console-data.js";
import { element } from "./elements.js";
import { createForm } from "./form-view.js";
import { positionOf, readInput, writeInput } from "./form-values.js";
import { startMockSession, tabStorage, type MockScript, type MockSession } from "./mock-session.js";
import { buildRequest, IncompleteRequestError, type ConsoleRequest } from "./request.js";
import { checkResponse } from "./response-check.js";
import { responseElements } from "./response-view.js";
import { createSamplesView } from "./samples-view.js";
import { sendRequest, type Destination } from "./send.js";
import { createTargetView } from "./target-view.js";

/** Builds the console of the page in its place, and loads the mock. */
export function startConsole(): void {
  const place = document.querySelector<HTMLElement>("[data-console]");
  const data = document.querySelector("[data-operation]")?.textContent;
  if (place !== null && typeof data === "string") buildConsole(place, JSON.parse(data) as ConsoleOperation);
}

function buildConsole(container: HTMLElement, operation: ConsoleOperation): void {
  const script = loadMock(operation);
  let session: MockSession | undefined;
  const sessionOf = async (): Promise<MockSession> =>
    (session ??= startMockSession(await script, tabStorage(`plumbline-mock-${operation.mock ?? ""}`)));

  const target = createTargetView(operation, {
    changed: () => update(),
    reset: () => void sessionOf().then((each) => each.reset()),
  });
  const parameters = createParameters(operation.parameters);
  const body = createBodyView(operation.bodies, () => update());
  const samples = createSamplesView(operation);
  const problem = element("p", { class: "problem", attributes: { role: "alert" } });
  const outcome = element("p", { class: "visually-hidden", attributes: { role: "status" } });
  const send = element("button", { class: "send", text: `Send ${operation.method}`, attributes: { type: "submit" } });
  const response = element("section", {
    class: "live",
    attributes: { "aria-label": "Response" },
  });
  const form = element("form", {
    attributes: { novalidate: "", autocomplete: "off" },
    children: [
      target.element,
      ...parameters.sections,
      ...(body === undefined ? [] : [section("Body", body.element)]),
      section("Request", samples.element),
      element("div", { class: "send-row", children: [send, problem, outcome] }),
    ],
  });

  /** The request as entered; undefined where it has no URL. */
  function entered(): ConsoleRequest | undefined {
    try {
      problem.textContent = "";
      return buildRequest(operation, {
        base: target.isMock() ? operation.base : target.address() || operation.base,
        parameters: parameters.values(),
        body: body?.entered(),
      });
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  function update(): void {
    const request = entered();
    if (request !== undefined) samples.show(request.example);
  }

  async function destinationOf(): Promise<Destination> {
    if (!target.isMock()) {
      if (!/^https?:\/\/./.test(target.address())) throw new IncompleteRequestError("Enter the address of the server.");
      return { fetch: (request) => fetch(request), credentials: target.credentials(), acceptsCookies: false };
    }
    const mock = await sessionOf();
    // The mock accepts any credential.
    const credentials = operation.credentials.map(({ variable }) =>
      variable === "CREDENTIALS" ? "user:mock" : "mock",
    );
    return { fetch: (request) => mock.fetch(request), credentials, acceptsCookies: true };
  }

  async function submit(): Promise<void> {
    const request = entered();
    if (request === undefined) return;
    send.disabled = true;
    outcome.textContent = "";
    try {
      const received = await sendRequest(operation, request, await destinationOf());
      const check = checkResponse(operation, received, await script.catch(() => undefined));
      response.replaceChildren(element("h3", { text: "Response" }), ...responseElements(received, check));
      outcome.textContent = `Response ${received.status}${check.issues.length > 0 ? ", not as described" : ""}`;
      if (target.isMock()) target.report(session?.isStored() ?? true);
    } catch (error) {
      response.replaceChildren();
      problem.textContent = problemText(error, target.isMock());
    } finally {
      send.disabled = false;
    }
  }

  form.addEventListener("input", update);
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  container.append(form, response);
  update();
}

function problemText(error: unknown, isMock: boolean): string {
  if (error instanceof IncompleteRequestError) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") return "No response within 30 seconds.";
  if (isMock) return `The mock has no response: ${error instanceof Error ? error.message : String(error)}`;
  return "No response. The server cannot be reached, or does not allow requests from this page (CORS). Other servers need HTTPS.";
}

/** Loads the mock, which also checks the responses of servers. */
async function loadMock({ mock }: ConsoleOperation): Promise<MockScript> {
  if (mock === undefined) throw new Error("This site has no mock.");
  const script = element("script");
  script.src = `${document.body.dataset["root"] ?? ""}assets/mock.js`;
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("assets/mock.js cannot be loaded.")));
    document.head.append(script);
  });
  return (globalThis as typeof globalThis & { readonly plumblineMock: MockScript }).plumblineMock;
}

function createParameters(parameters: readonly ConsoleParameter[]): {
  readonly sections: readonly HTMLElement[];
  readonly values: () => Parameters<typeof buildRequest>[1]["parameters"];
} {
  const titles = { path: "Path", query: "Query", header: "Headers", cookie: "Cookies" } as const;
  const groups = Object.entries(titles).map(([location, title]) => {
    const members = parameters.filter((each) => each.in === location);
    const fields: readonly FormField[] = members.map(({ field }) => field);
    const initial = members.flatMap(({ field, example }, index) => {
      const text = example === undefined ? undefined : writeInput(field.input, example);
      return text === undefined ? [] : [[positionOf("", index), text] as const];
    });
    const view = createForm(`console-${location}`, fields, new Map(initial));
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
  return element("section", { children: [element("h3", { text: title }), content] });
}
