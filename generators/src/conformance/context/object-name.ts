/** The name of a resource's object in steps: `instance`, `domainRecord`. Inferred resources have the name of their parameter. */
export function objectName(resource: string, parameter = "object"): string {
  if (resource.startsWith("/")) return parameter;
  return resource.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (start) => start.toLowerCase());
}
