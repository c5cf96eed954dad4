import { OpenAPIBackend } from "openapi-backend";

const api = new OpenAPIBackend({
  definition: "description.json",
  quick: true,
  ajvOpts: { strict: false, allErrors: true },
});
await api.init();
const headers = { "content-type": "application/json" };

export function judge(body) {
  const { errors } = api.validateRequest({ method: "POST", path: "/compute/instances", headers, body });
  return errors?.length ?? 0;
}
