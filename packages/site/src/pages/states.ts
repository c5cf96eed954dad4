import type { StateMachine, TransitionEvent } from "@plumbline/kit/model";
import { describeSources } from "../describe/sources.js";
import { describeTransitions, eventText, machineSize, stateLabel } from "../describe/states.js";
import type { StateEdge, StateGraph, StateNode } from "../render/diagram.js";
import { renderHtml } from "../render/templates.js";
import type { SiteContext } from "../site-context.js";
import { pageContext, type SitePage } from "../site-page.js";

/** Creates the list of all state machines, each with its diagram. */
export function statesPage(site: SiteContext): SitePage {
  const path = "states/index.html";
  const { links } = pageContext(site, path);
  const machines = site.api.stateMachines.map((machine) => ({
    name: machine.name,
    href: links.stateMachine(machine.name),
    resource: machine.resource,
    field: machine.field,
    size: machineSize(machine),
    diagram: machine.states.length <= 5 ? site.diagrams.draw(stateGraph(machine)) : undefined,
    states: machine.states,
  }));
  return { path, title: "States", body: renderHtml("states", { machines }) };
}

/** Creates a page for each state machine: a diagram, and a table with the same contents. */
export function stateMachinePages(site: SiteContext): readonly SitePage[] {
  return site.api.stateMachines.map((machine) => {
    const path = site.paths.stateMachines.get(machine.name) ?? "";
    const context = pageContext(site, path);
    const body = renderHtml("state-machine", {
      name: machine.name,
      resource: machine.resource,
      resourceHref: context.links.schema(machine.resource),
      field: machine.field,
      size: machineSize(machine),
      diagram: site.diagrams.draw(stateGraph(machine)),
      states: machine.states.map((state) => ({
        name: state,
        shownAs: Object.hasOwn(machine.hidden, state) ? machine.hidden[state] : undefined,
        isInitial: machine.initial.some(({ to }) => to === state),
      })),
      transitions: describeTransitions(context, machine),
      sources: describeSources(context, [machine]),
    });
    return { path, title: machine.name, body };
  });
}

/** Sources of a transition beyond which the diagram draws one node for all of them: edges of large machines would cross everywhere. */
const maxDrawnSources = ({ states }: StateMachine): number => (states.length > 8 ? 1 : 3);

/** Turns a state machine into a graph. Transitions between the same states share an edge. */
export function stateGraph(machine: StateMachine): StateGraph {
  const nodes = new Map<string, StateNode>();
  for (const state of machine.states)
    nodes.set(state, { id: state, label: state, kind: Object.hasOwn(machine.hidden, state) ? "hidden" : "state" });
  const edges = new Map<string, StateEdge & { readonly labels: string[] }>();
  const addNode = (node: StateNode): string => {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    return node.id;
  };
  const target = (state: string): string =>
    machine.states.includes(state)
      ? state
      : addNode({ id: state, label: stateLabel(state), kind: state === "$deleted" ? "end" : "previous" });
  const connect = (from: string, to: string, kind: StateEdge["kind"], label: string): void => {
    const key = JSON.stringify([from, to, kind]);
    const known = edges.get(key);
    if (known === undefined) edges.set(key, { from, to, kind, label, labels: label === "" ? [] : [label] });
    else if (label !== "" && !known.labels.includes(label)) known.labels.push(label);
  };
  const follow = (to: string, then: readonly string[]): void =>
    [to, ...then].forEach((state, index, chain) => {
      const next = chain[index + 1];
      if (next !== undefined) connect(target(state), target(next), "next", "");
    });
  machine.initial.forEach(({ event, to, then }) => {
    const start = addNode({ id: "start of a life", label: "", kind: "start" });
    connect(start, target(to), kindOf(event), eventText(event));
    follow(to, then);
  });
  for (const { event, from, to, then } of machine.transitions) {
    const sources = from.length > maxDrawnSources(machine) ? [addNode(severalNode(machine, from))] : from.map(target);
    for (const source of sources) connect(source, target(to), kindOf(event), eventText(event));
    follow(to, then);
  }
  return {
    label: `States of ${machine.name}: the table below has the same contents`,
    nodes: [...nodes.values()],
    edges: [...edges.values()].map(({ labels, ...edge }) => ({ ...edge, label: edgeLabel(labels) })),
  };
}

/** Labels of an edge beyond which it counts the rest. */
const maxLabels = 3;

function edgeLabel(labels: readonly string[]): string {
  const lines = labels.slice(0, maxLabels).map((each) => (each.length > 26 ? `${each.slice(0, 25)}…` : each));
  return [...lines, ...(labels.length > maxLabels ? [`${labels.length - maxLabels} more`] : [])].join("\n");
}

function severalNode({ states }: StateMachine, from: readonly string[]): StateNode {
  const others = states.filter((state) => !from.includes(state));
  const label =
    others.length === 0
      ? "any state"
      : others.length <= 2
        ? `any state but ${others.join(", ")}`
        : from.join(", ").replaceAll(/((?:[^,]+,){2}) /g, "$1\n");
  return { id: `several: ${from.join(" ")}`, label, kind: "several" };
}

function kindOf({ kind }: TransitionEvent): StateEdge["kind"] {
  return kind === "operation" || kind === "platform" ? kind : "time";
}
