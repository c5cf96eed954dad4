import { expect, test } from "vitest";
import { withPaths } from "@plumbline/openapi/testing";
import { generateClient } from "./generate-client.support.js";

test.each([
  ["The gzip-compressed raw disk image.", "  // `file`: The gzip-compressed raw disk image.\n"],
  ["'Over\\n\\n```\\nlines'", ""],
])("the example of an upload says what the file holds: %s", async (description, line) => {
  const data = `{put: {operationId: putPicture, security: [], requestBody: {description: ${description}, content: {application/octet-stream: {}}}, responses: {'200': {description: ok}}}}`;
  const files = await generateClient(
    withPaths("", `components: {pathItems: {picture: ${data}}}\n`).replace("paths:\n", "paths: {}"),
  );
  const [, uploads = ""] = (files["README.md"] ?? "").split("## Uploads");
  expect(uploads).toContain(`file: string): Promise<void> {\n${line}`);
  expect(uploads.split("## Retries")[0]?.match(/```/g)).toHaveLength(2);
});
