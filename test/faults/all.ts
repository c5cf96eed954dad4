import { bodies } from "./bodies.js";
import { bounds } from "./bounds.js";
import { effects } from "./effects.js";
import type { Fault } from "./fault.js";
import { grants } from "./grants.js";
import { http } from "./http.js";
import { lengths } from "./lengths.js";
import { lifecycle } from "./lifecycle.js";
import { limits } from "./limits.js";
import { lists } from "./lists.js";
import { objects } from "./objects.js";
import { replies } from "./replies.js";
import { scopes } from "./scopes.js";
import { shapes } from "./shapes.js";
import { tokens } from "./tokens.js";
import { types } from "./types.js";
import { updates } from "./updates.js";

/** All faults, by class. */
export const faults: readonly Fault[] = [
  ...tokens,
  ...scopes,
  ...objects,
  ...grants,
  ...bounds,
  ...lengths,
  ...shapes,
  ...types,
  ...bodies,
  ...http,
  ...replies,
  ...updates,
  ...lists,
  ...lifecycle,
  ...effects,
  ...limits,
].toSorted((a, b) => a.class - b.class);
