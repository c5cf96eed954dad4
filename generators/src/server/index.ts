import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { emitServerOperations, findSlashWarnings } from "@plumbline/kit/codegen/validation";
import { emitGrants } from "./access/grants.js";
import { emitServerScopes } from "./access/scopes.js";
import { emitServerAdapters } from "./adapters.js";
import { emitServerErrors } from "./errors.js";
import { emitHandlers } from "./handlers.js";
import { emitServerLimits } from "./limits/limits.js";
import { emitMutability } from "./mutability.js";
import { emitServerPackage } from "./package.js";
import { emitResources } from "./resources.js";
import { emitErrorBodies } from "./responses/error-bodies.js";
import { emitLists } from "./responses/lists.js";
import { emitSerializers } from "./responses/serializers.js";
import { emitServer } from "./server.js";
import { emitServerStates } from "./state-machines/states.js";
import { emitCarriedValidator, emitTypes, readValidator } from "./validator.js";
import { emitStoredValueRules } from "./values.js";

/** Generates a typed server: the tables that its runtime enforces, and the types of handlers. */
const serverGenerator: Generator = defineGenerator({
  optionalInputs: ["validator"],
  files: (api, options) => {
    const validator = readValidator(options);
    return [
      ...(validator.package === undefined ? emitCarriedValidator(api, options) : []),
      emitTypes(validator),
      emitServerOperations(api, options, validator),
      ...emitSerializers(api, options),
      ...emitStoredValueRules(api, options),
      ...emitHandlers(api, options, validator.modules),
      ...emitServer(api, validator),
      ...emitLists(api),
      ...emitServerAdapters(),
      ...emitResources(api, options),
      ...emitMutability(api, options, validator),
      ...emitServerScopes(api),
      ...emitGrants(api, options),
      ...emitServerLimits(api, options),
      ...emitServerStates(api, options),
      ...emitServerErrors(api, options),
      ...emitErrorBodies(api),
      ...emitServerPackage(api, options, validator),
    ];
  },
  warnings: findSlashWarnings,
});

export default serverGenerator;
