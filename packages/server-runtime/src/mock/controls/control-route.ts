import type { Values } from "../store/stored-object.js";
import type { FieldRules } from "./control-body.js";

/** A request of a control, with its values checked. */
export interface ControlRequest {
  /** The values in the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Values;
}

/** What a control responds: a status, and a body if it has one. */
export type ControlResponse = readonly [status: number, body?: unknown];

export interface ControlRoute {
  /** The method and the path template, such as `POST /clock`. */
  readonly route: string;
  /** The fields of the body. Undefined: an object with fields of every name. */
  readonly fields: FieldRules | undefined;
  readonly run: (request: ControlRequest) => ControlResponse;
}

export function controlRoute(route: string, fields: ControlRoute["fields"], run: ControlRoute["run"]): ControlRoute {
  return { route, fields, run };
}
