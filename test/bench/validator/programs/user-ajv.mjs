// The validator on an Ajv instance, as its README shows.
import { ajvValidator } from "@cloud-compute/validator/ajv";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const ajv = new Ajv2020.Ajv2020({ allErrors: true, ownProperties: true, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
export const validator = ajvValidator(ajv);
