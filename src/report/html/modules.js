// The page's modules, of the charting library and of its own, in the form of CommonJS: define() keeps one, require()
// runs it the first time it is asked for.
"use strict";
const pageModules = {};
function define(name, run) {
  pageModules[name] = { run };
}
function require(name) {
  const module = pageModules[name];
  if (!module) throw new Error("there is no module " + name);
  if (!module.exports) {
    module.exports = {};
    module.run(module.exports, module, require);
  }
  return module.exports;
}
