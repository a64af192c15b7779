export { installationJsonSchema } from '../mapping/installation-schema.js';
export { mappingJsonSchema } from '../mapping/mapping-schema.js';
