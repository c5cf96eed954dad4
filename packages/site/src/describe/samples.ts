import type { RequestSample } from "@plumbline/kit/codegen/samples";
import type { Highlighter } from "../render/highlight.js";
import type { Html } from "../render/html.js";

/** A sample with colours. */
export interface SampleView {
  readonly label: string;
  readonly code: Html;
}

/** Colours the samples of a request. */
export function describeSamples(highlighter: Highlighter, samples: readonly RequestSample[]): readonly SampleView[] {
  return samples.map(({ label, language, text }) => ({ label, code: highlighter.code(text, language) }));
}
