export { installationJsonSchema, mappingJsonSchema } from '../mapping/schemas.js';
