import type { Operation } from "../../model/index.js";

/** The path as routers of the runtime read it: ids that span several segments are `/images/{+imageId}`, and a matrix is `/map{;point}`. */
export function routePath({ path, parameters }: Pick<Operation, "path" | "parameters">): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    if (parameter?.style === "matrix") return `{;${name}}`;
    return (parameter?.segments ?? 1) > 1 ? `{+${name}}` : placeholder;
  });
}
