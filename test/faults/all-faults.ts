import { besidesFaults } from "./besides.js";
import { bodyFaults } from "./bodies.js";
import { boundFaults } from "./bounds.js";
import { defaultValueFaults } from "./default-values.js";
import { effectFaults } from "./effects.js";
import type { Fault } from "./fault.js";
import { frameFaults } from "./frame-faults.js";
import { grantFaults } from "./grants.js";
import { httpFaults } from "./http.js";
import { laterItemFaults } from "./later-items.js";
import { lengthFaults } from "./lengths.js";
import { lifecycleFaults } from "./lifecycle.js";
import { limitFaults } from "./limits.js";
import { listFaults } from "./lists.js";
import { narrowValueFaults } from "./narrow-values.js";
import { objectFaults } from "./objects.js";
import { remoteEffectFaults } from "./remote-effects.js";
import { responseFaults } from "./responses.js";
import { schemaFaults } from "./schemas.js";
import { scopeFaults } from "./scopes.js";
import { secondTimeFaults } from "./second-times.js";
import { tokenFaults } from "./tokens.js";
import { typeFaults } from "./types.js";
import { updateFaults } from "./updates.js";

/** All faults, by class. */
export const allFaults: readonly Fault[] = [
  ...tokenFaults,
  ...scopeFaults,
  ...objectFaults,
  ...grantFaults,
  ...boundFaults,
  ...lengthFaults,
  ...schemaFaults,
  ...typeFaults,
  ...bodyFaults,
  ...defaultValueFaults,
  ...laterItemFaults,
  ...narrowValueFaults,
  ...remoteEffectFaults,
  ...httpFaults,
  ...responseFaults,
  ...updateFaults,
  ...listFaults,
  ...lifecycleFaults,
  ...effectFaults,
  ...frameFaults,
  ...limitFaults,
  ...besidesFaults,
  ...secondTimeFaults,
].toSorted((a, b) => a.class - b.class);
