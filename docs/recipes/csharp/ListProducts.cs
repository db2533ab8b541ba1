// Prints all products, one page a line. API_URL is https://…/merchants/mer_…
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

static class ListProducts
{
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    static async Task<int> Run()
    {
        var key = Environment.GetEnvironmentVariable("API_KEY");
        var address = new Uri(Environment.GetEnvironmentVariable("API_URL") + "/products?limit=10");
        while (address != null)
        {
            var request = new HttpRequestMessage(HttpMethod.Get, address);
            request.Headers.Add("Authorization", "Bearer " + key);
            var response = await Client.SendAsync(request);
            var body = await response.Content.ReadAsStringAsync();
            if (!response.IsSuccessStatusCode)
            {
                Console.Error.WriteLine(body);
                return 1;
            }
            // Parse it with your JSON library.
            Console.WriteLine(body);
            IEnumerable<string> links;
            response.Headers.TryGetValues("Link", out links);
            var link = Regex.Match(links == null ? "" : links.First(), "<([^>]*)>;\\s*rel=\"next\"");
            // The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
            address = link.Success ? new Uri(address, link.Groups[1].Value) : null;
        }
        return 0;
    }

    static int Main()
    {
        return Run().GetAwaiter().GetResult();
    }
}
