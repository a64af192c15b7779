export { loadInstallation } from '../mapping/installation.js';
