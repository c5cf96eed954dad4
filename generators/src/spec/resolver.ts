import { BaseResolver, ResolveError, type Source } from "@redocly/openapi-core";

/** Reads the files that references name, and nothing from anywhere else: what is generated depends on this machine alone. */
export class LocalResolver extends BaseResolver {
  override async loadExternalRef(absoluteRef: string): Promise<Source> {
    if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(absoluteRef)) return super.loadExternalRef(absoluteRef);
    throw new ResolveError(
      new Error("nothing is fetched from elsewhere. Save it beside the description and refer to the file"),
    );
  }
}
