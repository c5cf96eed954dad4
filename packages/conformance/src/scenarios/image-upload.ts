import { gzipSync } from "node:zlib";
import type { Json, ScenarioContext } from "@plumbline/conformance-runtime";
import { member, text } from "./values.js";

/** Sends data to the address of an upload, without a token. Then the image can be deployed, also in another region. */
export async function imageUpload(context: ScenarioContext): Promise<Json> {
  const pending = {
    type: "object",
    required: ["image", "upload_to"],
    properties: { image: { properties: { status: { const: "pending_upload" } } }, upload_to: { type: "string" } },
  };
  const body = { label: { $unique: "label" }, region: "us-east" };
  const upload = await context.runStep({
    call: "uploadImage",
    body,
    as: "upload",
    expect: { status: 200, body: pending },
  });
  const response = await fetch(text(upload, "body", "upload_to"), {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: gzipSync(Buffer.alloc(2 ** 20)),
    signal: context.signal,
  });
  const received = `${response.status} ${await response.text()}`;
  if (response.status !== 200)
    context.reportFailure({
      message: "The upload address does not accept the data of an image.",
      expected: "200",
      received,
      requirements: ["image.data.put"],
    });
  const available = { type: "object", properties: { status: { const: "available" } } };
  const path = { imageId: member(upload, "body", "image", "id") };
  await context.runStep({ call: "getImage", path, expect: { status: 200, body: available }, until: true });
  await context.runStep({
    call: "createInstance",
    body: { region: "us-west", type: "g6-nanode-1", image: path.imageId, root_pass: "aComplex-P4ssword" },
    expect: { status: 200, requirements: ["image.upload.any-region", "image.status.deployable"] },
  });
  return null;
}
