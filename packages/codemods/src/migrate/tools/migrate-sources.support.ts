import path from "node:path";
import { buildForeignFixture, withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { migrateFromTool, type MigratedTool } from "./index.js";
import type { ToolStep } from "./tool-migration.js";

/** An API with pets, whose errors all have one schema. */
export const petsDescription = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example/v1'}]
security: [{login: []}]
tags: [{name: pets}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List
      parameters: [{name: tag, in: query, schema: {type: string}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}
    post:
      operationId: createPet
      tags: [pets]
      summary: Create
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses:
        '201': {description: Created, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '422': {description: Invalid, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  /pets/{pet-id}:
    parameters: [{name: pet-id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getPet
      tags: [pets]
      summary: Get
      parameters: [{name: X-Trace, in: header, schema: {type: string}}]
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: None, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
    delete:
      operationId: deletePet
      tags: [pets]
      summary: Delete
      responses: {'204': {description: Deleted}, '404': {description: None, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}}
components:
  securitySchemes: {login: {type: http, scheme: bearer}}
  schemas:
    Kind: {type: string, enum: [cat, dog]}
    Pet: {type: object, required: [name], properties: {name: {type: string}, kind: {$ref: '#/components/schemas/Kind'}}}
    Problem: {type: object, required: [why], properties: {why: {type: string}}}
`;

/** The result of a migration, with paths that begin at the folder of the sources. */
export interface MigratedSources {
  /** The texts of files that have changed, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Steps as `file:line message`. */
  readonly done: readonly string[];
  readonly toDecide: readonly string[];
  readonly notUnderstood: readonly string[];
  /** Files that do not parse. */
  readonly unreadable: readonly string[];
}

/** What a migration of small sources sees. */
export interface SourcesOptions {
  /** The files below `src`. Default: all. */
  readonly code?: readonly string[];
}

/** Migrates small sources in `src`, with `files` around them. */
export async function migrateSources(
  tool: MigratedTool,
  sources: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
  { code = [""] }: SourcesOptions = {},
): Promise<MigratedSources> {
  const { api } = await buildForeignFixture(petsDescription);
  const inSource = Object.entries(sources).map(([file, text]) => [`src/${file}`, text] as const);
  const config = JSON.stringify({
    compilerOptions: { strict: true, module: "Preserve", lib: ["ES2022"], types: [], jsx: "preserve", allowJs: true },
  });
  const all = { "tsconfig.json": config, ...files, ...Object.fromEntries(inSource) };
  return withFixtureFolder(all, async (folder) => {
    const target = "@pets/client";
    const migration = migrateFromTool(tool, { api, code: code.map((each) => path.join(folder, "src", each)), target });
    const name = (file: string): string => path.relative(path.join(folder, "src"), file).replaceAll(path.sep, "/");
    const format = (steps: readonly ToolStep[]): readonly string[] =>
      steps.map(({ file, line, message }) => `${name(file)}:${line} ${message}`);
    return {
      texts: Object.fromEntries(migration.files.map(({ file, text }) => [name(file), text])),
      done: format(migration.done),
      toDecide: format(migration.toDecide),
      notUnderstood: format(migration.notUnderstood),
      unreadable: migration.unreadable.map(name),
    };
  });
}
