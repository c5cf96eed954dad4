import * as fc from "fast-check";
import type { Json, Operation, Parameter } from "../model.js";
import type { Maker } from "./arbitraries.js";

/** A parameter as sent, and ways to send it wrong. */
export interface Sent {
  readonly parameter: Parameter;
  /** The value that the text encodes. */
  readonly value: Json;
  readonly text: string;
  readonly wrong: () => readonly Wrong[];
}

export interface Wrong {
  readonly kind: string;
  /** Absent: not sent at all. */
  readonly text?: string;
  /** The encoded value, if the text encodes one. */
  readonly value?: Json;
}

/** All parameters of an operation. */
export function parametersOf({ parameters }: Operation, maker: Maker): fc.Arbitrary<readonly Sent[]> {
  return fc.tuple(...parameters.map((parameter) => sent(parameter, maker)));
}

/** The input of a call without a server. */
export function given(all: readonly { readonly parameter: Parameter; readonly text?: string }[]): Given {
  const texts = all.flatMap(({ parameter, text }) => (text === undefined ? [] : [{ ...parameter, text }]));
  const inPlace = (place: Parameter["in"]) =>
    Object.fromEntries(texts.filter((each) => each.in === place).map(({ name, text }) => [name, text]));
  return { path: inPlace("path"), query: new URLSearchParams(inPlace("query")).toString(), headers: inPlace("header") };
}

interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

function sent(parameter: Parameter, maker: Maker): fc.Arbitrary<Sent> {
  const isJson = parameter.style === "content";
  const textOf = (value: Json): string => (isJson || typeof value !== "string" ? JSON.stringify(value) : value);
  return maker.of(parameter.schema).map(({ value, breaks }) => ({
    parameter,
    value,
    text: textOf(value),
    wrong: () => {
      const broken = breaks().map((each) => ({ kind: each.kind, value: each.value() }));
      // Encoded as text, a number is a valid text.
      const reported = broken.filter((each) => isJson || (typeof each.value === typeof value && each.kind !== "type"));
      const texts = isJson ? noJson : typeof value === "number" ? noIntegers : [];
      return [
        ...reported.map((each) => ({ ...each, text: textOf(each.value) })),
        ...texts.map((text) => ({ kind: "type", text })),
        ...(parameter.required ? [{ kind: "required" }] : []),
      ];
    },
  }));
}

const noIntegers = ["", "x", "1.5", "1.0", "0x10", "1e3", " 5", "5 ", "+5", "05", "٣", "Infinity", "null", "1,2"];
const noJson = ["", "label", "{", "{'a':1}", '{"a":1}x', '{"a":1,"a":2}', '{"label":"\\ud800"}'];
