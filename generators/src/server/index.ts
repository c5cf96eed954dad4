import { skipConcern, type ArtifactGenerator } from "../generator.js";
import { emitOperationValidators } from "../validation/operations.js";
import { emitSchemaTypes } from "../types/declarations.js";
import { emitMutability } from "./mutability.js";
import { emitServerErrors } from "./errors.js";
import { emitGrants } from "./grants.js";
import { emitHandlers } from "./handlers.js";
import { emitServerAdapters } from "./adapters.js";
import { emitServerLimits } from "./limits.js";
import { emitLists } from "./lists.js";
import { emitServerPackage } from "./package.js";
import { emitResources } from "./resources.js";
import { emitServerScopes } from "./scopes.js";
import { emitServer } from "./server.js";
import { emitSerializers } from "./serializers.js";
import { emitServerStates } from "./states.js";
import { emitStoredValueRules } from "./values.js";

export const serverGenerator: ArtifactGenerator = {
  name: "server",
  concerns: {
    schemas: (api, options) => [
      ...emitSchemaTypes(api),
      ...emitSerializers(api, options),
      ...emitStoredValueRules(api, options),
    ],
    operations: (api, options) => [
      ...emitOperationValidators(api, options, {
        operations: [...api.operations, ...api.operationsWithoutPath],
        unchanged: "stored",
        bytes: "stream",
      }),
      ...emitHandlers(api, options),
      ...emitServer(api),
      ...emitLists(api),
      ...emitServerAdapters(),
    ],
    resources: (api, options) => [...emitResources(api, options), ...emitMutability(api, options)],
    scopes: (api, options) => [...emitServerScopes(api), ...emitGrants(api, options)],
    limits: emitServerLimits,
    states: emitServerStates,
    errors: emitServerErrors,
    workflows: skipConcern("only the conformance suite uses workflows"),
  },
  package: emitServerPackage,
};
