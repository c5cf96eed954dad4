// A tool shed that neighbours share.
import express from "express";
import { OpenAPIBackend, type Context, type Request } from "openapi-backend";
import type { Request as ExpressRequest, Response } from "express";
import { lendTool } from "./loans.js";
import * as shed from "./shed.js";

export const app = express();
app.use(express.json());
app.use((request, response, next) => {
  response.setHeader("X-Shed", "1");
  next();
});

const api = new OpenAPIBackend({
  definition: "./openapi.yaml",
  strict: true,
  handlers: {
    // all, or those of a kind
    listTools: async (c, req: ExpressRequest, res: Response) => {
      const { kind } = c.request.query;
      const limit = Number(c.request.query.limit ?? 100);
      return res.status(200).json(shed.list().filter((tool) => kind === undefined || tool.kind === kind).slice(0, limit));
    },
    getTool: (c, req: ExpressRequest, res: Response) => {
      const tool = shed.find(Number(c.request.params.toolId));
      if (tool === undefined) {
        return res.status(404).json({ status: 404, reason: "no such tool" });
      }
      return res.status(200).json(tool);
    },
    validationFail: (c, req: ExpressRequest, res: Response) =>
      res.status(400).json({ status: 400, reason: "not valid", errors: c.validation.errors }),
    notFound: (c, req: ExpressRequest, res: Response) => res.status(404).json({ status: 404, reason: "not found" }),
  },
});

/** Adds a tool, unless there is one of its name. */
function addTool(c: Context, _req: ExpressRequest, res: Response) {
  const { name, kind } = c.request.requestBody as { name: string; kind: shed.Kind };
  if (shed.list().some((tool) => tool.name === name)) return res.status(409).json({ status: 409, reason: "there is one" });
  res.status(201).json(shed.add(name, kind));
}

api.register("addTool", addTool);
api.register({
  lendTool,
  removeTool: (c, req: ExpressRequest, res: Response) => {
    shed.remove(Number(c.request.params.toolId as string));
    res.status(204).end();
  },
});
await api.init();

app.use((req, res) => api.handleRequest(req as Request, req, res));
