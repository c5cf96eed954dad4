import { printRequestSamples, type ExampleRequest } from "@plumbline/kit/codegen/samples";
import type { ConsoleOperation } from "./console-data.js";
import { choices, element } from "./elements.js";

/** The request as code, in one of some languages. */
export interface SamplesView {
  readonly element: HTMLElement;
  readonly show: (request: ExampleRequest) => void;
}

/** Creates the code of a request. Credentials are variables in it. */
export function createSamplesView({ client, name, hasResult }: ConsoleOperation): SamplesView {
  const context = { client: client === undefined ? undefined : { package: client, name }, hasResult };
  const code = element("code", {});
  let language = "curl";
  let current: ExampleRequest | undefined;
  const render = (): void => {
    const samples = current === undefined ? [] : printRequestSamples(current, context);
    code.textContent = samples.find(({ label }) => label === language)?.text ?? "";
  };
  const languages = choices(
    "Code for",
    ["curl", "fetch", ...(client === undefined ? [] : ["client"])].map((value) => ({ value, text: value })),
    (value) => {
      language = value;
      render();
    },
  );
  languages.choose(language);
  return {
    element: element(
      "div",
      { class: "request-code" },
      languages.element,
      element("div", { class: "sample" }, element("pre", { tabindex: "0" }, code)),
    ),
    show: (request) => {
      current = request;
      render();
    },
  };
}
