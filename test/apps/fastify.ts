import { createTag, deleteTag, inputOf, listTags } from "@cloud-compute/validator";
import { validator } from "@cloud-compute/validator/fastify";
import { fastify, type FastifyInstance } from "fastify";

/** Labels on Fastify. A rejected request gets a custom body, which this server builds from all issues. */
export async function createApp(): Promise<FastifyInstance> {
  const tags = new Set<string>();
  const app = fastify();
  await app.register(
    validator({
      basePath: "/v4",
      operations: ["listTags", "createTag", "deleteTag"],
      unknown: "reject",
      onError: ({ issues }, request) => ({
        headers: { "content-type": "application/problem+json" },
        body: { title: "That was not right", target: request.originalUrl, issues },
      }),
    }),
  );

  app.get("/v4/tags", (request) => {
    const { page, page_size: size } = inputOf(listTags, request).query;
    const data = [...tags].slice((page - 1) * size, page * size).map((label) => ({ label }));
    return { data, page, pages: Math.max(1, Math.ceil(tags.size / size)), results: tags.size };
  });

  app.post("/v4/tags", (request) => {
    const { label } = inputOf(createTag, request).body;
    tags.add(label);
    return { label };
  });

  app.delete("/v4/tags/:label", (request) => {
    tags.delete(inputOf(deleteTag, request).path.label);
    return {};
  });

  return app;
}
