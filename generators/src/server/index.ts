import { skip, type Generator } from "../generator.js";
import { emitOperations } from "../judging/operations.js";
import { emitTypes } from "../types/declarations.js";
import { emitChanges } from "./changes.js";
import { emitErrors } from "./errors.js";
import { emitGrants } from "./grants.js";
import { emitHandlers } from "./handlers.js";
import { emitHosts } from "./hosts.js";
import { emitLimits } from "./limits.js";
import { emitLists } from "./lists.js";
import { emitPackage } from "./package.js";
import { emitResources } from "./resources.js";
import { emitScopes } from "./scopes.js";
import { emitServer } from "./server.js";
import { emitShown } from "./shown.js";
import { emitStates } from "./states.js";
import { emitValues } from "./values.js";

export const server: Generator = {
  name: "server",
  concerns: {
    shapes: (api, options) => [...emitTypes(api), ...emitShown(api, options), ...emitValues(api, options)],
    operations: (api, options) => [
      ...emitOperations(api, options, {
        operations: [...api.operations, ...api.linked],
        unchanged: "stored",
        bytes: "stream",
      }),
      ...emitHandlers(api, options),
      ...emitServer(api),
      ...emitLists(api),
      ...emitHosts(),
    ],
    resources: (api, options) => [...emitResources(api, options), ...emitChanges(api, options)],
    scopes: (api, options) => [...emitScopes(api), ...emitGrants(api, options)],
    limits: emitLimits,
    states: emitStates,
    errors: emitErrors,
    workflows: skip("only the conformance suite uses workflows"),
  },
  package: emitPackage,
};
