import { type Graph, instance, type Viz } from "@viz-js/viz";
import { trustHtml, type Html } from "./html.js";

/** A graph of states. */
export interface StateGraph {
  readonly label: string;
  readonly nodes: readonly StateNode[];
  readonly edges: readonly StateEdge[];
}

export interface StateNode {
  readonly id: string;
  readonly label: string;
  readonly kind: "start" | "state" | "hidden" | "end" | "previous" | "several";
}

export interface StateEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly kind: "operation" | "platform" | "time" | "next";
}

/** Draws graphs as inline SVG. Classes, and no attributes, have the colours, so that they follow the theme. */
export interface DiagramRenderer {
  readonly draw: (graph: StateGraph) => Html;
}

/** Loads Graphviz, which is WebAssembly inside of its package. */
export async function loadDiagramRenderer(): Promise<DiagramRenderer> {
  const viz = await instance();
  return { draw: (graph) => draw(viz, graph) };
}

/** The font whose widths Graphviz knows; pages use a similar one. */
const font = { fontname: "Helvetica", fontsize: 13 };

function draw(viz: Viz, { label, nodes, edges }: StateGraph): Html {
  const graph: Graph = {
    directed: true,
    graphAttributes: { rankdir: nodes.length > 8 ? "TB" : "LR", nodesep: 0.35, ranksep: 0.45, bgcolor: "transparent" },
    nodeAttributes: { ...font, shape: "box", style: "rounded", height: 0.36, margin: "0.16,0.06" },
    edgeAttributes: { ...font, fontsize: 11, arrowsize: 0.7 },
    nodes: nodes.map(({ id, label: text, kind }) => ({
      name: id,
      attributes: { class: kind, label: escapeLabel(text), ...nodeShapes[kind] },
    })),
    edges: edges.map(({ from, to, label: text, kind }) => ({
      tail: from,
      head: to,
      attributes: { class: kind, label: text === "" ? "" : escapeLabel(` ${text} `) },
    })),
  };
  const svg = viz.renderString(graph, { format: "svg" });
  return trustHtml(styleByClasses(svg.slice(svg.indexOf("<svg")), label));
}

const nodeShapes = {
  start: { shape: "circle", width: 0.14, height: 0.14, label: "", fixedsize: true },
  end: { shape: "box", style: "rounded" },
  state: {},
  hidden: {},
  previous: {},
  several: {},
} as const satisfies Readonly<Record<StateNode["kind"], object>>;

/** Graphviz reads backslashes in labels, such as `\N` for the name of a node, and entities. */
function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("&", "&amp;");
}

/** Removes ids, tool tips and colours, which would repeat on a page or ignore the theme. */
function styleByClasses(svg: string, label: string): string {
  const [, width = "0"] = /<svg width="([\d.]+)pt"/.exec(svg) ?? [];
  return svg
    .replaceAll(/<!--[^]*?-->\s*/g, "")
    .replaceAll(/<title>[^<]*<\/title>\s*/g, "")
    .replaceAll(/<g id="[^"]*"/g, "<g")
    .replaceAll(/ (?:fill|stroke|font-family|xml:space|xmlns:xlink)="[^"]*"/g, "")
    .replace(/<polygon stroke="none"[^>]*>|<polygon points="-4,[^>]*\/>\s*/, "")
    .replace(
      /<svg width="[^"]*" height="[^"]*"/,
      () =>
        `<svg class="diagram" role="img" aria-label="${label.replaceAll(/[&<>"]/g, "")}" width="${Math.ceil(Number(width) * 1.15)}"`,
    )
    .trim();
}
