import type { Mock } from "../create-mock.js";
import type { ObjectPlace } from "../mock-objects.js";
import type { Values } from "../store/stored-object.js";
import { identifierRule, objectRule, requireField, textRule } from "./control-body.js";
import { ControlError } from "./control-errors.js";
import type { ControlRoute } from "./control-route.js";

/** The controls of objects, which do what only the platform can. */
export function objectRoutes<Handlers>({ objects, definition, users }: Mock<Handlers>): readonly ControlRoute[] {
  const requireResource = (name = ""): string => {
    if (Object.hasOwn(definition.resources, name)) return name;
    const known = Object.keys(definition.resources);
    const hint = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
    throw new ControlError(404, `The description has no resource "${name}". ${hint}`);
  };
  /** A path has texts, and objects may have numbers. */
  const identifierIn = (resource: string, id = ""): string | number =>
    definition.resources[resource]?.identifier.type === "number" ? Number(id) : id;
  const locate = (
    path: Readonly<Record<string, string>>,
  ): { readonly resource: string; readonly id: string | number } => {
    const resource = requireResource(path["resource"]);
    const id = identifierIn(resource, path["id"]);
    if (objects.find(resource, id) === undefined)
      throw new ControlError(404, `There is no ${resource} "${path["id"] ?? ""}".`);
    return { resource, id };
  };
  const stateOf = ({ resource, id }: ReturnType<typeof locate>): Values => objects.find(resource, id) ?? {};
  const checkPlace = (resource: string, { username, parent }: ObjectPlace): void => {
    const above = definition.resources[resource]?.parent;
    const invalid = (field: string, reason: string): ControlError =>
      new ControlError(400, "The body has invalid fields.", [{ field, reason }]);
    if (username !== undefined && users.get(username) === undefined)
      throw invalid("username", `There is no user "${username}".`);
    if (parent !== undefined && above === undefined) throw invalid("parent", `${resource} has no parent.`);
    if (above !== undefined && objects.find(above, parent) === undefined)
      throw invalid("parent", `Not the identifier of an object of ${above}.`);
  };
  return [
    {
      route: "GET /objects/{resource}",
      fields: {},
      run: ({ path, query }) => {
        const wanted = [...query];
        const all = objects.list(requireResource(path["resource"]));
        const isWanted = (values: Values): boolean => wanted.every(([field, value]) => String(values[field]) === value);
        return [200, { data: all.filter(isWanted) }];
      },
    },
    {
      route: "POST /objects/{resource}",
      fields: { values: objectRule, username: textRule, account: textRule, parent: identifierRule, event: textRule },
      run: ({ path, body: { values = {}, ...place } }) => {
        const resource = requireResource(path["resource"]);
        checkPlace(resource, place);
        return [201, objects.create(resource, values as Values, place)];
      },
    },
    { route: "GET /objects/{resource}/{id}", fields: {}, run: ({ path }) => [200, stateOf(locate(path))] },
    {
      route: "PATCH /objects/{resource}/{id}",
      fields: undefined,
      run: ({ path, body }) => {
        const found = locate(path);
        objects.change(found.resource, found.id, body);
        return [200, stateOf({ ...found, id: identifierAfter(definition, found, body) })];
      },
    },
    {
      route: "DELETE /objects/{resource}/{id}",
      fields: {},
      run: ({ path }) => {
        const { resource, id } = locate(path);
        objects.remove(resource, id);
        return [204];
      },
    },
    {
      route: "POST /objects/{resource}/{id}/events",
      fields: { event: requireField(textRule) },
      run: ({ path, body }) => {
        const found = locate(path);
        const event = String(body["event"]);
        if (!objects.perform(found.resource, found.id, event))
          throw new ControlError(409, `No state machine of ${found.resource} has the event "${event}" in this state.`);
        return [200, stateOf(found)];
      },
    },
    {
      route: "PUT /objects/{resource}/{id}/state",
      fields: { state: requireField(textRule) },
      run: ({ path, body }) => {
        const found = locate(path);
        const state = String(body["state"]);
        const machines = definition.stateMachines.filter((each) => each.resource === found.resource);
        if (!machines.some(({ states }) => states.includes(state)))
          throw new ControlError(400, "The body has invalid fields.", [
            { field: "state", reason: `Not a state of ${found.resource}.` },
          ]);
        objects.setState(found.resource, found.id, state);
        return [200, stateOf(found)];
      },
    },
    {
      route: "GET /objects/{resource}/{id}/{children}",
      fields: {},
      run: ({ path }) => {
        const { resource, id } = locate(path);
        return [200, { data: objects.children(requireResource(path["children"]), { resource, identifier: id }) }];
      },
    },
  ];
}

/** The identifier of an object after a change of its values. */
function identifierAfter(
  { resources }: Mock["definition"],
  { resource, id }: { readonly resource: string; readonly id: string | number },
  values: Values,
): string | number {
  const changed = values[resources[resource]?.identifier.field ?? ""];
  return typeof changed === "string" || typeof changed === "number" ? changed : id;
}
