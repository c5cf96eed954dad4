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
    resources: skip("what an id names, and whether it is there, only the server knows"),
    scopes: skip("who may call is the server's to judge"),
    limits: skip(
      "lengths, bytes and uniqueness within a body are in the checks of shapes; what is counted over time is the server's",
    ),
    states: skip("only the server knows the current state"),
    errors: skip("a broken rule has its words in the runtime; failures that need the store are the server's"),
    workflows: skip("stories are for the conformance suite"),
  },
  package: emitPackage,
};
