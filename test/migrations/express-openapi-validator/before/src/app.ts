// The API of a seed bank.
import cors from "cors";
import express from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { securityHandlers } from "./auth.js";
import { handleError, notFound } from "./errors.js";
import { formats } from "./formats.js";
import { loans } from "./loans.js";
import { metrics } from "./metrics.js";
import { router as seeds } from "./seeds.js";

export const app = express();

app.use(cors({ exposedHeaders: ["X-Total-Count"] }));
app.use(express.json({ limit: "100kb" }));
app.get("/health", (_request, response) => {
  response.json({ ok: true }); // not described
});

const apiSpec = "./openapi.yaml";
const isIgnored = (path: string): boolean => path.startsWith("/v1/internal") || path === "/v1/metrics";

app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateApiSpec: true,
    validateRequests: {
      allowUnknownQueryParameters: true,
    },
    // our own mistakes
    validateResponses: {
      onError: (error) => {
        metrics.invalidResponses.push(error.message);
      },
    },
    validateSecurity: { handlers: securityHandlers },
    formats,
    ajvFormats: { mode: "fast" },
    ignorePaths: isIgnored,
    fileUploader: { limits: { fileSize: 1_000, files: 2 } },
    $refParser: { mode: "dereference" },
  }),
);

app.use("/v1/seeds", seeds);
app.use("/v1", loans);
app.get("/v1/internal/:what", (request, response) => {
  response.json({ what: request.params.what });
});
app.get("/v1/metrics", (_request, response) => {
  response.json({ requests: metrics.requests, invalidResponses: metrics.invalidResponses.length });
});

// last
app.use(notFound);
app.use(handleError);
