/**
 * The initial state of an object that a trigger creates.
 *
 * @throws TypeError when the description has none, which is a defect of this service
 */
export function initialState<State, Facts>(
  machine: { initial(trigger: string, facts?: Facts): State | undefined },
  trigger: string,
  facts?: NoInfer<Facts>,
): State {
  const state = facts === undefined ? machine.initial(trigger) : machine.initial(trigger, facts);
  if (state === undefined) throw new TypeError(`there is no initial state for ${trigger}`);
  return state;
}
