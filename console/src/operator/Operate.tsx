/** The pages for those who own agents and for those who run the server. */
export default function Operate({ section }: { section: string }) {
  return <p>{section}</p>;
}
