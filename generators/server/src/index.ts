import { skipConcern, type ArtifactGenerator } from "../../../packages/codegen/src/generator.js";
import { emitOperationValidators } from "../../../packages/codegen/src/validation/operations.js";
import { emitSchemaTypes } from "../../../packages/codegen/src/types/declarations.js";
import { emitMutability } from "./mutability.js";
import { emitServerErrors } from "./errors.js";
import { emitGrants } from "./access/grants.js";
import { emitHandlers } from "./handlers.js";
import { emitServerAdapters } from "./adapters.js";
import { emitServerLimits } from "./limits/limits.js";
import { emitLists } from "./responses/lists.js";
import { emitServerPackage } from "./package.js";
import { emitResources } from "./resources.js";
import { emitServerScopes } from "./access/scopes.js";
import { emitServer } from "./server.js";
import { emitSerializers } from "./responses/serializers.js";
import { emitServerStates } from "./state-machines/states.js";
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
