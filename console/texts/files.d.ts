/** Address of the JSON file that the build makes of a module with texts. */
declare module '*?data' {
  const address: string
  export default address
}
