import { authenticationError } from "../access/authentication-error.js";
import type { StepFactory } from "./step.js";

/** Checks that the caller has all scopes of one security requirement. */
export const checkScopes: StepFactory = (plan, { definition }, errors) => {
  const needsScopes = plan.security.requirements.some((each) => each.some(({ scopes }) => scopes.length > 0));
  if (!needsScopes) return undefined;
  return ({ lacksScopes }) => {
    if (lacksScopes) throw authenticationError("scope", plan, { definition, errors });
  };
};
