// The API of a seed bank.
import express from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { handleError } from "./errors.js";
import { loans } from "./loans.js";
import { router as seeds } from "./seeds.js";

export const app = express();

app.use(express.json());
app.get("/health", (_request, response) => {
  response.json({ ok: true }); // not described
});

app.use(
  OpenApiValidator.middleware({
    apiSpec: "./openapi.yaml",
    validateApiSpec: true,
    validateRequests: {
      allowUnknownQueryParameters: true,
    },
    validateResponses: true, // our own mistakes
    validateSecurity: false,
    ignorePaths: /^\/v1\/internal/,
    fileUploader: false,
  }),
);

app.use("/v1/seeds", seeds);
app.use("/v1", loans);
app.get("/v1/internal/:what", (request, response) => {
  response.json({ what: request.params.what });
});

// last
app.use(handleError);
