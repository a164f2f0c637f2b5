// Prints what is wrong with a Dockerfile, one line each: validate by the parser that editors use.
import {readFileSync} from "node:fs";
import {validate, ValidationSeverity} from "dockerfile-utils";

const settings = {
    deprecatedMaintainer: ValidationSeverity.ERROR,
    directiveCasing: ValidationSeverity.ERROR,
    emptyContinuationLine: ValidationSeverity.ERROR,
    instructionCasing: ValidationSeverity.ERROR,
    instructionCmdMultiple: ValidationSeverity.ERROR,
    instructionEntrypointMultiple: ValidationSeverity.ERROR,
    instructionHealthcheckMultiple: ValidationSeverity.ERROR,
    instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
    instructionWorkdirRelative: ValidationSeverity.ERROR,
};
const problems = validate(readFileSync(process.env.DOCKERFILE, "utf8"), settings);
for (const problem of problems) {
    console.log(`line ${problem.range.start.line + 1}: ${problem.message}`);
}
