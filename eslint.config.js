import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", ".bench-venv/", ".tools/", "build/", "out/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    rules: {
      eqeqeq: "error",
      "no-unused-private-class-members": "off", // it does not see that `??=` reads
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 45],
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["src/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["docs/**/*.js"], languageOptions: { globals: { ...globals.browser, mount: "readonly" } } }, // of the player
  { files: ["tests/**/*.js", "*.js"], languageOptions: { globals: globals.node } },
];
