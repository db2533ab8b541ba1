// Setup files run before each test file; what they import is evaluated once in a process.
import './check-responses.ts'
