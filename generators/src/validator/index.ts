import { skip, type Generator } from "../generator.js";
import { emitTypes } from "../types/declarations.js";
import { emitHosts } from "./hosts.js";
import { emitOperations } from "../judging/operations.js";
import { emitPackage } from "./package.js";

export const validator: Generator = {
  name: "validator",
  concerns: {
    shapes: emitTypes,
    operations: (api, options) => [
      ...emitOperations(api, options, { operations: api.operations, unchanged: "shown", bytes: "whole" }),
      ...emitHosts(api),
    ],
    resources: skip("only the server knows which objects exist"),
    scopes: skip("the server checks credentials"),
    limits: skip("checks of schemas include lengths, bytes and uniqueness in a body; the server counts the rest"),
    states: skip("only the server knows the current state"),
    errors: skip(
      "the runtime has the texts of validation errors; the server has the errors that depend on stored data",
    ),
    workflows: skip("only the conformance suite uses workflows"),
  },
  package: emitPackage,
};
