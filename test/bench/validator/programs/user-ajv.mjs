// The validator on an Ajv instance, as its README shows.
import { ajvValidator } from "@cloud-compute/validator/ajv";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

const ajv = new Ajv2020.Ajv2020({ allErrors: true, ownProperties: true, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
export const validator = ajvValidator(ajv);
