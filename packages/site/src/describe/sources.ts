import type { Source } from "@plumbline/kit/model";
import type { Html } from "../render/html.js";
import { renderInlineMarkdown } from "../render/markdown.js";
import { requirementsById, type PageContext } from "../site-context.js";

/** Where statements come from: sentences of the documents, and assumptions with their reasons. */
export interface SourcesView {
  readonly requirements: readonly RequirementView[];
  readonly assumptions: readonly AssumptionView[];
}

export interface RequirementView {
  readonly id: string;
  readonly href: string | undefined;
  readonly text: string;
  readonly section: string;
  readonly line: number;
}

export interface AssumptionView {
  readonly assumed: Html;
  readonly because: Html;
}

/** Describes the sources of nodes, each once; undefined where there are none. */
export function describeSources(
  { api, links }: PageContext,
  nodes: readonly { readonly sources?: readonly Source[] }[],
): SourcesView | undefined {
  const sources = nodes.flatMap((each) => each.sources ?? []);
  const ids = new Set(sources.flatMap((each) => ("requirement" in each ? [each.requirement] : [])));
  const requirements = [...ids].flatMap((id): readonly RequirementView[] => {
    const requirement = requirementsById(api).get(id);
    if (requirement === undefined) return [];
    return [
      { id, href: links.requirement(id), text: requirement.text, section: requirement.section, line: requirement.line },
    ];
  });
  const assumed = sources.flatMap((each) => ("assumption" in each ? [each.assumption] : []));
  const byId = new Map(assumed.map((each) => [each.id, each] as const));
  const assumptions = [...byId.values()].map((each) => ({
    assumed: renderInlineMarkdown(each.text),
    because: renderInlineMarkdown(each.because),
  }));
  return requirements.length + assumptions.length === 0 ? undefined : { requirements, assumptions };
}
