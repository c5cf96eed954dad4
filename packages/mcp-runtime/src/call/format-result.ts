import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../json.js";
import type { ToolData } from "../toolset.js";
import { shortenValue } from "./shorten.js";

/** Formats the data of a successful response for a model. */
export async function formatResult(tool: ToolData, data: unknown, maxBytes: number): Promise<CallToolResult> {
  const result = await formatData(tool, data, maxBytes);
  // Clients reject a result without structured content from a tool with an output schema.
  if (tool.outputSchema === undefined || result.structuredContent !== undefined) return result;
  return { ...result, structuredContent: {} };
}

async function formatData(tool: ToolData, data: unknown, maxBytes: number): Promise<CallToolResult> {
  if (data === undefined || data === null) return textResult("Done. The response has no content.");
  if (data instanceof Blob) return formatBlob(data, maxBytes);
  if (typeof data === "string") return formatText(data, maxBytes);
  const { value, notes } = shortenValue(data, maxBytes);
  const text = JSON.stringify(value);
  const more = [...notes, ...describePages(tool, data)];
  if (notes.length > 0)
    more.push("The result was too large. Request less: fewer items per page, a filter, or one object.");
  return {
    content: [{ type: "text", text }, ...more.map((note) => ({ type: "text" as const, text: note }))],
    ...(tool.outputSchema !== undefined && isRecord(value) ? { structuredContent: { ...value } } : {}),
  };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function formatText(text: string, maxBytes: number): CallToolResult {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return textResult(text);
  const start = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return {
    content: [
      { type: "text", text: start },
      { type: "text", text: `The text has ${bytes} bytes; the first ${maxBytes} are shown.` },
    ],
  };
}

/** Images become content that models see. A model cannot use other binary data. */
async function formatBlob(blob: Blob, maxBytes: number): Promise<CallToolResult> {
  const mimeType = blob.type.split(";")[0] ?? "";
  if (!/^image\/(png|jpeg|gif|webp)$/.test(mimeType) || blob.size > maxBytes)
    return textResult(
      `The response is binary data, which is not shown: ${blob.size} bytes of ${mimeType || "an unknown type"}.`,
    );
  const data = Buffer.from(await blob.arrayBuffer()).toString("base64");
  return { content: [{ type: "image", data, mimeType }] };
}

function describePages({ pages: fields }: ToolData, data: unknown): readonly string[] {
  if (fields === undefined || !isRecord(data)) return [];
  if ("next" in fields) {
    const cursor = fields.next.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), data);
    if (typeof cursor !== "string" || cursor === "") return [];
    return [`There are more items. Pass \`${fields.argument}: ${JSON.stringify(cursor)}\` for the next ones.`];
  }
  const [page, pages, total] = [data[fields.page], data[fields.pages], data[fields.total]];
  if (typeof page !== "number" || typeof pages !== "number" || pages <= 1) return [];
  const next = page < pages ? ` Pass \`${fields.argument}: ${page + 1}\` for the next one.` : "";
  return [`Page ${page} of ${pages}, with ${String(total)} items in all.${next}`];
}
