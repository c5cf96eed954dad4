import type { ArtifactOptions } from "@plumbline/kit/codegen";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import { type Api, type Diagnostic, findJsonContent } from "@plumbline/kit/model";
import { responseOptions } from "./samples.js";

/** Reports the JSON responses for which the mock has neither an example nor a valid value. */
export function findUnsampledResponses(api: Api, { locate }: Pick<ArtifactOptions, "locate">): readonly Diagnostic[] {
  return api.operations.flatMap(({ name, responses }) =>
    responses.flatMap(({ status, contents }): readonly Diagnostic[] => {
      const content = findJsonContent(contents);
      if (content === undefined || content.example !== undefined) return [];
      const { schema } = content;
      if (sampleSchema(api, schema, responseOptions).isValid) return [];
      return [
        {
          code: "mock/no-sample",
          severity: "warning",
          origin: locate(schema.origin),
          message: `The mock finds no valid value for response ${status} of ${name}.`,
          fix: "Write an `example` beside the schema, or change the keywords that no value meets together.",
        },
      ];
    }),
  );
}
